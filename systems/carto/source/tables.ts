/* Tables in the catalogue. */

import { sql as raw } from "kysely"
import { deleteRows } from "../../platform/rows.ts"
import type { TableRow } from "../tables.ts"
import type { Sql } from "./users.ts"

export interface TableName {
  readonly database: string
  readonly table: string
}

export async function putTable(sql: Sql, row: TableRow): Promise<void> {
  const { database_name: _, table_name: __, ...fields } = row
  await sql
    .insertInto("carto_tables")
    .values(row)
    .onConflict((known) => known.columns(["database_name", "table_name"]).doUpdateSet(fields))
    .execute()
}

type OneOrAll = Pick<TableName, "database"> & Partial<TableName>

/** What a database has, and how many bytes its infowindows have in UTF-8; with `table`, that table alone. */
export async function occupiedBy(sql: Sql, { database, table }: OneOrAll) {
  const { tables, bytes } = await sql
    .selectFrom("carto_tables")
    .select((it) => [
      it.fn.countAll().as("tables"),
      raw<number | string | null>`sum(octet_length(infowindow))`.as("bytes"), // The texts themselves are not read for it.
    ])
    .where((is) => is.and({ database_name: database, ...(table !== undefined && { table_name: table }) }))
    .executeTakeFirstOrThrow()
  return { tables: Number(tables), bytes: Number(bytes ?? 0) }
}

/** False when the catalogue does not know the table. */
export const deleteTable = (sql: Sql, { database, table }: TableName): Promise<boolean> =>
  deleteRows(sql, "carto_tables", { database_name: database, table_name: table })

/** All of a database, or those of one user in it. */
export const deleteTablesOf = (sql: Sql, database: string, owner: number | undefined) =>
  deleteRows(sql, "carto_tables", { database_name: database, ...(owner !== undefined && { user_id: owner }) })

/** The next n tables, by name, locked until the transaction is over. */
export async function lockedPage(sql: Sql, after: TableName, limit: number): Promise<TableRow[]> {
  const later = raw<boolean>`(database_name, table_name) > (${after.database}, ${after.table})`
  const rows = sql.selectFrom("carto_tables").selectAll().where(later).orderBy("database_name").orderBy("table_name")
  const last = (await rows.limit(limit).execute()).at(-1)
  if (last === undefined) return []
  const within = raw<boolean>`(database_name, table_name) <= (${last.database_name}, ${last.table_name})`
  await sql
    .updateTable("carto_tables")
    .set((row) => ({ infowindow: row.ref("infowindow") }))
    .where(later)
    .where(within)
    .execute()
  return rows.where(within).execute()
}
