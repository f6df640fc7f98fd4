import { lockRows } from "../../platform/lock-rows.ts"
import type { Sql } from "./users.ts"

/** Until the transaction is over, nobody else has these names: users, databases with their tables, or jobs. */
export async function lock(sql: Sql, kind: "user" | "database" | "job", ...names: string[]): Promise<void> {
  for (const row of lockRows(names))
    await sql
      .insertInto("carto_locks")
      .values({ name: `${kind} ${row}` })
      .onConflict((held) => held.column("name").doUpdateSet((locked) => ({ name: locked.ref("excluded.name") })))
      .execute()
}
