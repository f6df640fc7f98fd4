/* The relational catalogue: users and their tables, from which Redis can be restored. It
 * follows what is written through the service; Redis is what is served. */

import { type Kysely, sql } from "kysely"
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

export async function createTables(db: Kysely<CartoTables>): Promise<void> {
  await sql`create table if not exists carto_users (
    id bigint primary key,
    username text not null unique,
    database_name text not null,
    map_key text not null,
    last_active_time text,
    renamed_to text unique
  )`.execute(db)
  await sql`create index if not exists carto_users_by_database on carto_users (database_name)`.execute(db)
  await sql`create table if not exists carto_tables (
    database_name text not null,
    table_name text not null,
    the_geom_type text not null,
    infowindow text not null,
    privacy integer not null,
    user_id bigint not null,
    constraint carto_tables_key primary key (database_name, table_name)
  )`.execute(db)
  await sql`create table if not exists carto_locks (name text primary key)`.execute(db)
}
