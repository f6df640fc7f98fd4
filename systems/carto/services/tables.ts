/* Metadata of tables (CDB-8 to CDB-10). As with users, the catalogue follows within one
 * transaction. */

import { flag } from "keywright"
import type { CartoContext } from "../context.ts"
import { geometry, userId, type Geometry } from "../ids.ts"
import { deleteTable, putTable, updateTable, type TableName } from "../source/tables.ts"
import type { TableRow } from "../tables.ts"
import { noTable, notYours, tableTaken } from "./refusals.ts"

export interface TableMetadata {
  readonly the_geom_type: Geometry
  readonly infowindow: string
  /** Public. */
  readonly privacy: boolean
  readonly user_id: number
}

export function tables({ db, source }: CartoContext) {
  const get = async (name: TableName): Promise<TableMetadata> => {
    const found = await db.tables.table(name).get()
    if (found === undefined) throw noTable()
    return found
  }

  return {
    get,

    /** Creates or replaces it; with `owner`, only one of his (CDB-8). */
    async put(name: TableName, metadata: TableMetadata, owner?: number): Promise<void> {
      await source.transaction(async (sql) => {
        await putTable(sql, rowOf(name, metadata))
        const done = await db.$steps.writeTable({
          ...name,
          mustExist: false,
          only: onlyOf(owner),
          fields: words(metadata),
        })
        if (done < 0) throw notYours()
      })
    },

    async update(name: TableName, changes: Partial<TableMetadata>, owner?: number): Promise<TableMetadata> {
      const before = await get(name)
      if (Object.keys(changes).length === 0) return before
      await source.transaction(async (sql) => {
        const { database_name: _, table_name: __, ...row } = rowOf(name, { ...before, ...changes })
        const changed = Object.fromEntries(Object.entries(row).filter(([field]) => field in changes))
        if (!(await updateTable(sql, name, changed))) await putTable(sql, rowOf(name, { ...before, ...changes }))
        const fields = words(changes)
        settled(await db.$steps.writeTable({ ...name, mustExist: true, only: onlyOf(owner), fields }))
      })
      return get(name)
    },

    /** Also completes a deletion that reached Redis only. */
    async remove(name: TableName, owner?: number): Promise<void> {
      await source.transaction(async (sql) => {
        const isKnown = await deleteTable(sql, name)
        const done = await db.$steps.deleteTable({ ...name, only: onlyOf(owner) })
        if (done !== 0 || !isKnown) settled(done)
      })
    },

    /** Also completes a rename that reached Redis only. */
    async rename({ database, table }: TableName, to: string, owner?: number): Promise<TableMetadata> {
      const [from, target] = [
        { database, table },
        { database, table: to },
      ]
      const before = await db.tables.table(from).get()
      const moved = before === undefined ? await db.tables.table(target).get() : undefined
      await source.transaction(async (sql) => {
        const isKnown = await deleteTable(sql, from)
        const done = await db.$steps.renameTable({ table: [from, target], only: onlyOf(owner) })
        if (done === -2) throw tableTaken(to)
        const metadata = done === 0 && isKnown ? moved : before
        if (metadata === undefined || done < 0) throw done === -1 ? notYours() : noTable()
        await putTable(sql, rowOf(target, metadata))
      })
      return get(target)
    },

    /** The names of all tables of a database, by SCAN. */
    async list(database: string): Promise<string[]> {
      const found: string[] = []
      for await (const { params } of db.tables.table.scan({ database })) found.push(params.table)
      return found.sort()
    },
  }
}

const onlyOf = (owner: number | undefined): string => (owner === undefined ? "" : String(owner))

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

export const rowOf = ({ database, table }: TableName, metadata: TableMetadata): TableRow => ({
  database_name: database,
  table_name: table,
  the_geom_type: metadata.the_geom_type,
  infowindow: metadata.infowindow,
  privacy: metadata.privacy ? 1 : 0,
  user_id: metadata.user_id,
})

export type Tables = ReturnType<typeof tables>
