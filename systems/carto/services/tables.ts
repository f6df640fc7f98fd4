/* Metadata of tables (CDB-8 to CDB-10). As with users, the catalogue follows what is in
 * Redis, within one transaction. */

import type { StillAllowed } from "./access.ts"
import { flag } from "keywright"
import { fewAtOnce } from "../../platform/few-at-once.ts"
import { nextTogetherOf } from "../../platform/next-together.ts"
import type { CartoContext } from "../context.ts"
import { geometry, userId, type Geometry } from "../ids.ts"
import { lock } from "../source/lock.ts"
import { deleteTable, occupiedBy, putTable, type TableName } from "../source/tables.ts"
import type { Sql } from "../source/users.ts"
import type { TableRow } from "../tables.ts"
import { changing } from "./changing.ts"
import { noTable, notYours, tableTaken, tooManyBytes, tooManyTables } from "./refusals.ts"

export interface TableMetadata {
  readonly the_geom_type: Geometry
  readonly infowindow: string
  /** Public. */
  readonly privacy: boolean
  readonly user_id: number
}

/** A user who changes a table: it has to be theirs. */
export interface Owning {
  readonly owner: number
  readonly isStillAllowed: StillAllowed
}

export function tables(context: CartoContext) {
  const { db, settings } = context
  const inTurn = changing(context)
  const get = async (name: TableName): Promise<TableMetadata> => {
    const found = await db.tables.table(name).get()
    if (found === undefined) throw noTable()
    return found
  }

  // The catalogue takes one change after another: of each owner, one waits for that at a time.
  const ofOwner = fewAtOnce(1)
  /** Nobody else changes tables of the database meanwhile, neither here nor there. */
  const changeIn = <T>(database: string, by: Owning | undefined, work: (sql: Sql) => Promise<T>): Promise<T> => {
    const change = () =>
      inTurn(async (sql) => {
        await lock(sql, "database", database)
        await by?.isStillAllowed()
        return work(sql)
      })
    return by === undefined ? change() : ofOwner(String(by.owner), change)
  }

  /** Users may add tables and their contents, but not without limit: Redis holds all of it in memory. */
  const checkRoom = async (sql: Sql, name: TableName, infowindow: string): Promise<void> => {
    const { limits, mostTables, mostTableBytes } = settings
    if (!limits) return
    const [all, own] = [await occupiedBy(sql, { database: name.database }), await occupiedBy(sql, name)]
    if (all.tables >= mostTables && !(await db.tables.table(name).exists())) throw tooManyTables(mostTables)
    const more = Buffer.byteLength(infowindow) - own.bytes
    if (more > 0 && all.bytes + more > mostTableBytes) throw tooManyBytes(mostTableBytes)
  }

  /** The catalogue follows. */
  const follow = async (sql: Sql, name: TableName): Promise<TableMetadata> => {
    const metadata = await get(name)
    await putTable(sql, rowOf(name, metadata))
    return metadata
  }

  return {
    get,

    /** Creates or replaces it; with `by`, only a table of that user, and where there is room for it (CDB-8). */
    put: (name: TableName, metadata: TableMetadata, by?: Owning): Promise<TableMetadata> =>
      changeIn(name.database, by, async (sql) => {
        if (by !== undefined) await checkRoom(sql, name, metadata.infowindow)
        const fields = words(metadata)
        settled(await db.$steps.writeTable({ ...name, mustExist: false, only: onlyOf(by), fields }))
        return follow(sql, name)
      }),

    update: (name: TableName, changes: Partial<TableMetadata>, by?: Owning): Promise<TableMetadata> =>
      changeIn(name.database, by, async (sql) => {
        const fields = words(changes)
        const found = await get(name)
        if (fields.length === 0) return found
        if (by !== undefined && changes.infowindow !== undefined) await checkRoom(sql, name, changes.infowindow)
        settled(await db.$steps.writeTable({ ...name, mustExist: true, only: onlyOf(by), fields }))
        return follow(sql, name)
      }),

    /** Also completes a deletion that reached Redis only. */
    remove: (name: TableName, by?: Owning): Promise<void> =>
      changeIn(name.database, by, async (sql) => {
        const isKnown = await deleteTable(sql, name)
        const done = await db.$steps.deleteTable({ ...name, only: onlyOf(by) })
        if (done !== 0 || !isKnown) settled(done)
      }),

    /** Also completes a rename that reached Redis only. */
    rename: ({ database, table }: TableName, to: string, by?: Owning): Promise<TableMetadata> =>
      changeIn(database, by, async (sql) => {
        const [from, target] = [
          { database, table },
          { database, table: to },
        ]
        await db.tables.table(from).get() // What cannot be read stays where it is (ALL-11).
        const isKnown = await deleteTable(sql, from)
        const done = await db.$steps.renameTable({ table: [from, target], only: onlyOf(by) })
        if (done === TAKEN) throw tableTaken(to)
        if (done !== 0 || !isKnown) settled(done)
        return follow(sql, target)
      }),

    /** The names of all tables of a database, by SCAN (CDB-10): that walks over those of all databases, so it is shared. */
    list: nextTogetherOf(async (database) => {
      const found: string[] = []
      for await (const { params } of db.tables.table.scan({ database })) found.push(params.table)
      return found.sort()
    }),
  }
}

const TAKEN = -2

const onlyOf = (by: Owning | undefined): string => (by === undefined ? "" : String(by.owner))

function settled(done: number): void {
  if (done === 0) throw noTable()
  if (done < 0) throw notYours()
}

/** Names and values, as the schema's codecs write them. */
function words({ the_geom_type, infowindow, privacy, user_id }: Partial<TableMetadata>): string[] {
  const fields = {
    the_geom_type: the_geom_type && geometry.encode(the_geom_type),
    infowindow,
    privacy: privacy === undefined ? undefined : flag.encode(privacy),
    user_id: user_id === undefined ? undefined : userId.encode(user_id),
  }
  return Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [field, value]))
}

const rowOf = ({ database, table }: TableName, metadata: TableMetadata): TableRow => ({
  database_name: database,
  table_name: table,
  the_geom_type: metadata.the_geom_type,
  infowindow: metadata.infowindow,
  privacy: metadata.privacy ? 1 : 0,
  user_id: metadata.user_id,
})
