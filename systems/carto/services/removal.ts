/* Deleting a user across the databases (CDB-2, CDB-7). The catalogue forgets them first,
 * so that no restore brings them back; the record that says what is theirs is removed last,
 * with what was noted of them meanwhile. Until then the same request finds the rest and
 * completes it. */

import type { CartoContext } from "../context.ts"
import { lock } from "../source/lock.ts"
import { deleteTablesOf } from "../source/tables.ts"
import { deleteRow, namesOf, rowNamed, rowsOfDatabase, type Sql } from "../source/users.ts"
import { changing } from "./changing.ts"
import type { MapViews } from "./map-views.ts"
import type { Owners } from "./owners.ts"
import { busy, noUser } from "./refusals.ts"
import type { Renaming } from "./renaming.ts"
import { inBatches } from "../../platform/in-batches.ts"
import { tolerant } from "../../platform/tolerant.ts"
import type { UserRecords } from "./user-records.ts"

const AT_ONCE = 200
const TRIES = 3

interface WithHandle<H> {
  readonly handle: H
}

export function removal(
  context: CartoContext,
  records: UserRecords,
  owners: Owners,
  renaming: Renaming,
  { visualizations }: MapViews,
) {
  const { db, source } = context
  const inTurn = changing(context)
  const unlessCorrupt = tolerant(context.lenient)

  const dropAll = async (found: AsyncIterable<WithHandle<{ delete(): Promise<boolean> }>>): Promise<void> => {
    for await (const batch of inBatches(found, AT_ONCE)) await Promise.all(batch.map(({ handle }) => handle.delete()))
  }

  /** Those whose record says that they are this user's. */
  const dropOwned = async (
    found: AsyncIterable<
      WithHandle<{ get(field: "user_id"): Promise<number | undefined>; delete(): Promise<boolean> }>
    >,
    owner: number,
  ): Promise<void> => {
    for await (const batch of inBatches(found, AT_ONCE)) {
      const owners = await Promise.all(batch.map(({ handle }) => unlessCorrupt(handle.get("user_id"))))
      await Promise.all(batch.filter((_, i) => owners[i] === owner).map(({ handle }) => handle.delete()))
    }
  }

  const dropCounters = async (userId: number): Promise<void> => {
    const { total, perDay, timePerDay, perMonth, verbPerMonth, timePerMonth } = db.threshold
    for (const counters of [total, perDay, timePerDay, perMonth, verbPerMonth, timePerMonth])
      await dropAll(counters.scan({ userId }))
  }

  const tags = async (username: string) => (await visualizations(username)).map((visualization) => ({ visualization }))

  /** Map views that were counted while their user was deleted. */
  const dropLateViews = async (username: string): Promise<number> =>
    db.$steps.dropViews({ username, mapViewsOf: await tags(username) })

  /** The name that a user was given since they were found. */
  const nameSince = async (sql: Sql, username: string, id: number): Promise<string | undefined> => {
    for (const name of await namesOf(sql, id))
      if (name !== username && (await records.find(name, ["id"]))?.id === id) return name
    return undefined
  }

  /** The catalogue forgets a user. With others in the same database, only their own tables are removed. */
  const forget = async (username: string, id: number, database: string | undefined): Promise<{ isShared: boolean }> => {
    const hasOthers = database !== undefined && (await owners.isShared(database, id))
    return inTurn(async (sql) => {
      await lock(sql, "user", username)
      if ((await nameSince(sql, username, id)) !== undefined) throw noUser(username)
      await deleteRow(sql, id)
      if (database === undefined) return { isShared: false }
      await lock(sql, "database", database)
      const isShared = hasOthers || (await rowsOfDatabase(sql, database)).length > 0
      await deleteTablesOf(sql, database, isShared ? id : undefined)
      return { isShared }
    })
  }

  /**
   * Deletes the record, or returns the name under which it has to be deleted. Concurrent changes of the user wait,
   * and then find no user.
   */
  const erase = async (username: string, id: number | undefined): Promise<string | undefined> => {
    const mapViewsOf = await tags(username)
    const renamedTo = await inTurn(async (sql) => {
      await lock(sql, "user", username)
      const name = id === undefined ? undefined : await nameSince(sql, username, id)
      if (name !== undefined) return name
      if (id !== undefined) await deleteRow(sql, id)
      await db.$steps.deleteUser({ username, mapViewsOf, id: id === undefined ? "" : String(id) })
      return undefined
    })
    await dropLateViews(username)
    return renamedTo
  }

  const remove = async (username: string, tries = TRIES): Promise<void> => {
    await renaming.settle(username)
    const record = await records.find(username, ["id", "database_name"])
    const row = await source.ask((sql) => rowNamed(sql, username))
    const id = record?.id ?? row?.id
    const database = record?.database_name ?? row?.database_name
    if (record === undefined && row === undefined) {
      if ((await dropLateViews(username)) === 0) throw noUser(username)
      return
    }
    if (id !== undefined) {
      const { isShared } = await forget(username, id, database)
      if (database !== undefined)
        await (isShared
          ? dropOwned(db.tables.table.scan({ database }), id)
          : dropAll(db.tables.table.scan({ database })))
      await dropCounters(id)
      await dropOwned(db.credentials.oauthToken.scan(), id)
    }
    const renamedTo = await erase(username, id)
    if (renamedTo === undefined) return
    if (tries === 1) throw busy(username)
    await remove(renamedTo, tries - 1)
  }

  return { remove: (username: string) => remove(username) }
}
