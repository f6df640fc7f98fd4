import type { Sql } from "./users.ts"

/** Until the transaction is over, nobody else has these names: users, or databases with their tables. */
export async function lock(sql: Sql, kind: "user" | "database", ...names: string[]): Promise<void> {
  for (const name of [...new Set(names)].sort())
    await sql
      .insertInto("carto_locks")
      .values({ name: `${kind} ${name}` })
      .onConflict((held) => held.column("name").doUpdateSet((row) => ({ name: row.ref("excluded.name") })))
      .execute()
}
