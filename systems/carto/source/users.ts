/* Users in the catalogue. */

import type { Kysely } from "kysely"
import { deleteRows, insertNew, updateRows } from "../../platform/rows.ts"
import type { CartoTables, UserRow } from "../tables.ts"

export type Sql = Kysely<CartoTables>

/** The rows that have this name, are about to have it, or have this id. */
export const rowsLike = (sql: Sql, username: string, id: number | undefined): Promise<UserRow[]> =>
  sql
    .selectFrom("carto_users")
    .selectAll()
    .where((is) =>
      is.or([
        is("username", "=", username),
        is("renamed_to", "=", username),
        ...(id === undefined ? [] : [is("id", "=", id)]),
      ]),
    )
    .execute()

export const rowNamed = (sql: Sql, username: string): Promise<UserRow | undefined> =>
  sql.selectFrom("carto_users").selectAll().where("username", "=", username).executeTakeFirst()

/** Under which names a user may be found. */
export async function namesOf(sql: Sql, id: number): Promise<string[]> {
  const row = await sql
    .selectFrom("carto_users")
    .select(["username", "renamed_to"])
    .where("id", "=", id)
    .executeTakeFirst()
  return row === undefined ? [] : [row.username, ...(row.renamed_to === null ? [] : [row.renamed_to])]
}

export const rowsOfDatabase = (sql: Sql, database: string): Promise<UserRow[]> =>
  sql.selectFrom("carto_users").selectAll().where("database_name", "=", database).execute()

/** False when the name or the id is taken. */
export const insertRow = (sql: Sql, row: UserRow): Promise<boolean> => insertNew(sql, "carto_users", row)

/** False when the catalogue does not know the user. */
export async function updateRow(
  sql: Sql,
  username: string,
  fields: Partial<Pick<UserRow, "database_name" | "map_key" | "last_active_time">>,
): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable("carto_users")
    .set(fields)
    .where((is) => is.or([is("username", "=", username), is("renamed_to", "=", username)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const deleteRow = (sql: Sql, id: number) => deleteRows(sql, "carto_users", { id })

// ── renames that are under way ───────────────────────────────────────────────

/** False when the catalogue does not know the user, or is renaming them to another name. */
export async function beginRename(sql: Sql, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable("carto_users")
    .set({ renamed_to: to })
    .where((is) =>
      is.and([is("username", "=", from), is.or([is("renamed_to", "is", null), is("renamed_to", "=", to)])]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The user has the new name, or with `done` false keeps the old one. */
export const endRename = (sql: Sql, from: string, to: string, done: boolean) =>
  updateRows(
    sql,
    "carto_users",
    { username: from, renamed_to: to },
    { renamed_to: null, ...(done && { username: to }) },
  )

export const pendingRenames = (sql: Sql): Promise<UserRow[]> =>
  sql.selectFrom("carto_users").selectAll().where("renamed_to", "is not", null).execute()

// ── for the restore ──────────────────────────────────────────────────────────

/** The next n users, by id, locked until the transaction is over: nobody deletes or renames them meanwhile. */
export async function lockedPage(sql: Sql, after: number, limit: number): Promise<UserRow[]> {
  const page = await sql
    .selectFrom("carto_users")
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute()
  const ids = page.map(({ id }) => id)
  if (ids.length === 0) return []
  await sql
    .updateTable("carto_users")
    .set((row) => ({ map_key: row.ref("map_key") }))
    .where("id", "in", ids)
    .execute()
  return sql.selectFrom("carto_users").selectAll().where("id", "in", ids).orderBy("id").execute()
}
