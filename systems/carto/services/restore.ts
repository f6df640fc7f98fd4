/* Rebuilds databases 0 and 5 from the catalogue (CDB-21), a page at a time, each within a
 * transaction: a user who is deleted or renamed meanwhile is not brought back. What only
 * Redis knows (map views, api_calls) is left alone, so it may run at any time, and again
 * after it was interrupted. */

import type { CartoContext } from "../context.ts"
import { lock } from "../source/lock.ts"
import * as catalogue from "../source/tables.ts"
import { lockedPage } from "../source/users.ts"
import { changing } from "./changing.ts"
import type { Renaming } from "./renaming.ts"
import { tolerant } from "../../platform/tolerant.ts"

/** Rows that were read, how many of them are in Redis now, and which was the last. */
interface RestoredPage<After> {
  readonly count: number
  readonly restored: number
  readonly last: After
}

const PAGE = 200

export function restore(context: CartoContext, renaming: Renaming) {
  const { db } = context
  const inTurn = changing(context)
  const unlessCorrupt = tolerant(context.lenient)
  /** How many of these calls were carried out. */
  const counted = async (calls: readonly Promise<void>[]): Promise<number> => {
    const done = await Promise.all(calls.map((call) => unlessCorrupt(call.then(() => true))))
    return done.filter((one) => one === true).length
  }

  const restoreUsers = (after: number): Promise<RestoredPage<number>> =>
    inTurn(async (sql) => {
      await lock(sql, "job", "restore")
      const rows = await lockedPage(sql, after, PAGE)
      // A user whose rename has begun since is in Redis, under the old or the new name.
      const settled = rows.filter(({ renamed_to }) => renamed_to === null)
      const restored = await counted(
        settled.map(({ username, id, database_name, map_key, last_active_time }) =>
          db.$steps.restoreUser({
            username,
            id,
            database: database_name,
            mapKey: map_key,
            lastActive: last_active_time ?? "",
          }),
        ),
      )
      return { count: rows.length, restored, last: rows.at(-1)?.id ?? after }
    })

  const restoreTables = (after: catalogue.TableName): Promise<RestoredPage<catalogue.TableName>> =>
    inTurn(async (sql) => {
      await lock(sql, "job", "restore")
      const rows = await catalogue.lockedPage(sql, after, PAGE)
      const restored = await counted(
        rows.map(({ database_name: database, table_name: table, privacy, ...rest }) => {
          const { the_geom_type, infowindow, user_id } = rest
          return db.tables
            .table({ database, table })
            .set({ the_geom_type, infowindow, privacy: privacy === 1, user_id })
        }),
      )
      const last = rows.at(-1)
      return {
        count: rows.length,
        restored,
        last: last === undefined ? after : { database: last.database_name, table: last.table_name },
      }
    })

  return {
    async run() {
      await renaming.settleAll()
      return {
        users: await allOf(restoreUsers, -1),
        tables: await allOf(restoreTables, { database: "", table: "" }),
      }
    },
  }
}

/** One page after another: how many were restored. */
async function allOf<After>(
  restorePage: (after: After) => Promise<RestoredPage<After>>,
  first: After,
): Promise<number> {
  let restored = 0
  let page = await restorePage(first)
  while (page.count > 0) {
    restored += page.restored
    page = await restorePage(page.last)
  }
  return restored
}
