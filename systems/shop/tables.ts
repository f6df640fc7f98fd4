/* The shop's relational source: what is sold, and who buys. */

import type { Kysely } from "kysely"

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

export async function createTables(sql: Kysely<ShopTables>): Promise<void> {
  await sql.schema
    .createTable("shop_inventory")
    .ifNotExists()
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("qty", "bigint")
    .addColumn("name", "text")
    .addColumn("description", "text")
    .addColumn("more", "text", (column) => column.notNull())
    .execute()
  await sql.schema
    .createTable("shop_customers")
    .ifNotExists()
    .addColumn("user", "text", (column) => column.primaryKey())
    .addColumn("password_hash", "text", (column) => column.notNull())
    .execute()
}
