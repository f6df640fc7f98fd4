import type { Sql } from "./users.ts"

/** Until the transaction is over, nobody else has these names: users, databases with their tables, or jobs. */
export async function lock(sql: Sql, kind: "user" | "database" | "job", ...names: string[]): Promise<void> {
  for (const name of [...new Set(names)].sort())
    await sql
      .insertInto("carto_locks")
      .values({ name: `${kind} ${name}` })
      .onConflict((held) => held.column("name").doUpdateSet((row) => ({ name: row.ref("excluded.name") })))
      .execute()
}
