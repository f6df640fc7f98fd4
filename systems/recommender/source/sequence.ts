/* The last id of a table. Its row is locked when records are added and when a run begins,
 * so that one follows the other. */

import { sql as raw, type Kysely } from "kysely"
import { conflict } from "../../platform/http/problem.ts"
import { TABLES, type RecommenderTables, type TableName } from "../tables.ts"

export type Sql = Kysely<RecommenderTables>
export type Bounds = Readonly<Record<TableName, number>>

interface Sequence {
  /** The highest id so far, deleted records included. */
  readonly last: number
  /** Records up to here were read by a run, or are being read. */
  readonly read: number
}

/** Locks it until the transaction ends. */
export async function locked(sql: Sql, name: TableName): Promise<Sequence> {
  const { last, read } = await sql
    .updateTable("recommender_sequence")
    .set((it) => ({ last: it.ref("last") }))
    .where("name", "=", name)
    .returning(["last", "read"])
    .executeTakeFirstOrThrow()
  // Another program may have added records too.
  const newest = await sql
    .selectFrom(`recommender_${name}`)
    .select(raw<number | null>`max(id)`.as("id"))
    .executeTakeFirst()
  return { last: Math.max(last, newest?.id ?? 0), read }
}

/** The id of a new record: the one that was asked for, if no run has passed it (REC-19), or the next one. */
export async function takeId(sql: Sql, name: TableName, cursor: number, wanted?: number): Promise<number> {
  const { last, read } = await locked(sql, name)
  const passed = Math.max(read, cursor)
  const id = wanted ?? Math.max(last, passed) + 1
  if (!Number.isSafeInteger(id)) throw conflict("no_id_left", "there is no higher id")
  if (wanted !== undefined) {
    const taken = await sql.selectFrom(`recommender_${name}`).select("id").where("id", "=", id).executeTakeFirst()
    if (taken) throw conflict("id_taken", "there is a record with this id")
  }
  if (id <= passed) throw conflict("id_passed", `the nightly run has read ids up to ${passed}: it would miss this one`)
  if (id > last) await sql.updateTable("recommender_sequence").set({ last: id }).where("name", "=", name).execute()
  return id
}

/** What a run reads: all records up to these ids are there now, and no more come below. */
export async function boundsOfRun(sql: Sql): Promise<Bounds> {
  const bounds = {} as Record<TableName, number>
  for (const name of TABLES) {
    const { last } = await locked(sql, name)
    await sql.updateTable("recommender_sequence").set({ last, read: last }).where("name", "=", name).execute()
    bounds[name] = last
  }
  return bounds
}
