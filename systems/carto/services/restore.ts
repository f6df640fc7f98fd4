/* Rebuilds databases 0 and 5 from the catalogue (CDB-21), a page at a time, each within a
 * transaction: a user who is deleted or renamed meanwhile is not brought back. What only
 * Redis knows (map views, api_calls) is left alone, so it may run at any time, and again
 * after it was interrupted. */

import type { CartoContext } from "../context.ts"
import { lock } from "../source/lock.ts"
import * as catalogue from "../source/tables.ts"
import { lockedPage } from "../source/users.ts"
import type { Renaming } from "./renaming.ts"

export interface Restored {
  users: number
  tables: number
}

const PAGE = 200

export function restore({ db, source }: CartoContext, renaming: Renaming) {
  const restoreUsers = async (after: number): Promise<{ count: number; last: number }> =>
    source.transaction(async (sql) => {
      await lock(sql, "job", "restore")
      const rows = await lockedPage(sql, after, PAGE)
      await Promise.all(
        rows.map(({ username, id, database_name, map_key, last_active_time }) =>
          db.$steps.restoreUser({
            username,
            id,
            database: database_name,
            mapKey: map_key,
            lastActive: last_active_time ?? "",
          }),
        ),
      )
      return { count: rows.length, last: rows.at(-1)?.id ?? after }
    })

  const restoreTables = async (after: catalogue.TableName): Promise<{ count: number; last: catalogue.TableName }> =>
    source.transaction(async (sql) => {
      await lock(sql, "job", "restore")
      const rows = await catalogue.lockedPage(sql, after, PAGE)
      await Promise.all(
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
        last: last === undefined ? after : { database: last.database_name, table: last.table_name },
      }
    })

  return {
    async run(): Promise<Restored> {
      await renaming.settleAll()
      const restored: Restored = { users: 0, tables: 0 }
      for (let page = { count: PAGE, last: -1 }; page.count > 0; restored.users += page.count)
        page = await restoreUsers(page.last)
      for (let page = { count: PAGE, last: { database: "", table: "" } }; page.count > 0; restored.tables += page.count)
        page = await restoreTables(page.last)
      return restored
    },
  }
}

export type Restore = ReturnType<typeof restore>
