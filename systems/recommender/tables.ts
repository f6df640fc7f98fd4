/* The recommender's relational source: the five tables that are mirrored, who blocked
 * whom, and for each table how far its ids have come.
 *
 * Ids of a table are given out under the lock of its row in recommender_sequence, and
 * `read` is moved under the same lock before a run begins: so a run sees all rows up to
 * there, and none is added below it later. */

import { SqliteAdapter, sql as raw, type CreateTableBuilder, type Kysely } from "kysely"

/** The five tables, as Redis names them. */
export const TABLES = ["clg", "mmbr", "post", "reaction", "tracking"] as const
export type TableName = (typeof TABLES)[number]

/** SQLite has no booleans. */
export type Flag = 0 | 1
interface Row {
  readonly id: number
}

export interface RecommenderTables {
  /** `last`: the highest id so far; `read`: what runs have read, or are reading. */
  readonly recommender_sequence: { readonly name: TableName; readonly last: number; readonly read: number }
  readonly recommender_clg: Row & {
    readonly category: number
    readonly is_public: Flag
    readonly duration: number
    /** Milliseconds since 1970. */
    readonly created: number
  }
  readonly recommender_mmbr: Row & { readonly challenge: number; readonly user: number }
  readonly recommender_post: Row & {
    readonly challenge: number
    readonly user: number
    readonly text: string
    /** Milliseconds since 1970. */
    readonly created: number
    /** A run passed it over: it added no day. */
    readonly skipped: Flag
    /** Deleted after a run had read it; it stays, so that its day is not counted twice. */
    readonly deleted: Flag
  }
  readonly recommender_reaction: Row & {
    readonly post: number
    readonly user: number
    readonly cancelled: Flag
    /** A run skipped it: it neither counts nor takes anything back. */
    readonly skipped: Flag
  }
  readonly recommender_tracking: Row & { readonly user: number }
  readonly recommender_block: { readonly user: number; readonly author: number }
}

type Name = keyof RecommenderTables
type Table = CreateTableBuilder<Name, string>

export async function createTables(sql: Kysely<RecommenderTables>): Promise<void> {
  // SQLite finds rows fastest by a key of this type, and keeps 64 bits in it.
  const key = sql.getExecutor().adapter instanceof SqliteAdapter ? "integer" : "bigint"
  const create = (name: Name, columns: (table: Table) => Table) =>
    columns(sql.schema.createTable(name).ifNotExists() as Table).execute()
  const atLeast = (least: number, name: string) => raw<boolean>`${raw.ref(name)} >= ${raw.lit(least)}`
  const records = (name: `recommender_${TableName}`, columns: (table: Table) => Table) =>
    create(name, (table) => columns(table.addColumn("id", key, (it) => it.primaryKey().check(atLeast(1, "id")))))
  const columnsFrom =
    (least: number) =>
    (table: Table, ...names: string[]) =>
      names.reduce(
        (made, name) => made.addColumn(name, "bigint", (it) => it.notNull().check(atLeast(least, name))),
        table,
      )
  // Other programs may add records too: none that a run could not name in Redis.
  const [ids, numbers] = [columnsFrom(1), columnsFrom(0)]
  const flags = (table: Table, ...names: string[]) =>
    names.reduce((made, name) => made.addColumn(name, "integer", (it) => it.notNull().defaultTo(0)), table)
  const index = (name: Name, ...columns: string[]) =>
    sql.schema
      .createIndex(`${name}_${columns.join("_")}`)
      .ifNotExists()
      .on(name)
      .columns(columns)
      .execute()
  const indexSkipped = (name: Name) =>
    sql.schema
      .createIndex(`${name}_skipped`)
      .ifNotExists()
      .on(name)
      .column("id")
      .where("skipped" as never, "=", 1)
      .execute()

  await records("recommender_clg", (table) => numbers(flags(table, "is_public"), "category", "duration", "created"))
  await records("recommender_mmbr", (table) =>
    ids(table, "challenge", "user").addUniqueConstraint("recommender_mmbr_once", ["challenge", "user"] as never),
  )
  await records("recommender_post", (table) =>
    flags(numbers(ids(table, "challenge", "user"), "created"), "skipped", "deleted").addColumn("text", "text", (it) =>
      it.notNull(),
    ),
  )
  await index("recommender_post", "user", "created")
  await index("recommender_post", "challenge")
  await indexSkipped("recommender_post")
  await records("recommender_reaction", (table) => flags(ids(table, "post", "user"), "cancelled", "skipped"))
  await index("recommender_reaction", "post", "user")
  await indexSkipped("recommender_reaction")
  await records("recommender_tracking", (table) => ids(table, "user"))
  await create("recommender_block", (table) =>
    ids(table, "user", "author").addPrimaryKeyConstraint("recommender_block_key", ["user", "author"] as never),
  )
  await create("recommender_sequence", (table) =>
    numbers(
      table.addColumn("name", "text", (it) => it.primaryKey()),
      "last",
      "read",
    ),
  )
  await sql
    .insertInto("recommender_sequence")
    .values(TABLES.map((name) => ({ name, last: 0, read: 0 })))
    .onConflict((known) => known.doNothing())
    .execute()
}
