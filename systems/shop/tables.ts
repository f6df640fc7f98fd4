/* The shop's relational source: what is sold, and who buys. */

import { type Kysely, sql } from "kysely"

export interface ShopTables {
  readonly shop_inventory: {
    readonly id: string
    readonly qty: number | null
    readonly name: string | null
    readonly description: string | null
    /** Further columns, as a JSON object. */
    readonly more: string
  }
  readonly shop_customers: {
    readonly user: string
    /** argon2id, with its parameters and salt. */
    readonly password_hash: string
  }
}

export async function createTables(db: Kysely<ShopTables>): Promise<void> {
  await sql`create table if not exists shop_inventory (
    id text primary key, qty bigint, name text, description text, more text not null
  )`.execute(db)
  await sql`create table if not exists shop_customers ("user" text primary key, password_hash text not null)`.execute(
    db,
  )
}
