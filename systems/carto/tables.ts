/* The relational catalogue: users and their tables, as they are to be restored from. It
 * follows what is written through the service; Redis is what is served. */

import type { Kysely } from "kysely"
import type { Geometry } from "./ids.ts"

export interface UserRow {
  readonly id: number
  readonly username: string
  readonly database_name: string
  readonly map_key: string
  /** ISO 8601. */
  readonly last_active_time: string | null
  /** A rename that is under way: written before Redis is changed, gone when the username is the new one. */
  readonly renamed_to: string | null
}

export interface TableRow {
  readonly database_name: string
  readonly table_name: string
  readonly the_geom_type: Geometry
  readonly infowindow: string
  readonly privacy: 0 | 1
  readonly user_id: number
}

export interface CartoTables {
  readonly carto_users: UserRow
  readonly carto_tables: TableRow
  /** What is being changed: concurrent changes of it wait. */
  readonly carto_locks: { readonly name: string }
}

export async function createTables(sql: Kysely<CartoTables>): Promise<void> {
  await sql.schema
    .createTable("carto_users")
    .ifNotExists()
    .addColumn("id", "bigint", (column) => column.primaryKey())
    .addColumn("username", "text", (column) => column.notNull().unique())
    .addColumn("database_name", "text", (column) => column.notNull())
    .addColumn("map_key", "text", (column) => column.notNull())
    .addColumn("last_active_time", "text")
    .addColumn("renamed_to", "text", (column) => column.unique())
    .execute()
  await sql.schema
    .createIndex("carto_users_by_database")
    .ifNotExists()
    .on("carto_users")
    .column("database_name")
    .execute()
  await sql.schema
    .createTable("carto_tables")
    .ifNotExists()
    .addColumn("database_name", "text", (column) => column.notNull())
    .addColumn("table_name", "text", (column) => column.notNull())
    .addColumn("the_geom_type", "text", (column) => column.notNull())
    .addColumn("infowindow", "text", (column) => column.notNull())
    .addColumn("privacy", "integer", (column) => column.notNull())
    .addColumn("user_id", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("carto_tables_key", ["database_name", "table_name"])
    .execute()
  await sql.schema
    .createTable("carto_locks")
    .ifNotExists()
    .addColumn("name", "text", (column) => column.primaryKey())
    .execute()
}
