/* Renaming a user (CDB-6). The catalogue notes the new name first; one step moves all keys
 * in Redis (on a cluster several steps, see moving.ts); then the catalogue has the new name. A later call that finds such a note left by
 * a process that died (the same request again, a restore) continues from there: every part
 * may be done twice. Without its note no rename is finished: the user is being deleted.
 *
 * A map view of a visualization that is counted while the keys are looked for is moved
 * afterwards; under a name that nobody has, no more come. */

import { Conflict } from "keywright"
import { fewAtOnce } from "../../platform/few-at-once.ts"
import { Problem } from "../../platform/http/problem.ts"
import type { CartoContext } from "../context.ts"
import { lock } from "../source/lock.ts"
import { beginRename, endRename, insertRow, pendingRenames, rowNamed, rowsLike, type Sql } from "../source/users.ts"
import type { UserRow } from "../tables.ts"
import type { StillAllowed } from "./access.ts"
import { changing } from "./changing.ts"
import { claim } from "./claim.ts"
import type { MapViews } from "./map-views.ts"
import { moving } from "./moving.ts"
import { busy, noUser, usernameTaken } from "./refusals.ts"
import { KEPT, rowOf, whole, type UserRecords } from "./user-records.ts"

const TRIES = 3
const BEGUN = 2

export function renaming(context: CartoContext, records: UserRecords, { visualizations, renamed }: MapViews) {
  const { db, source, settings } = context
  // A step may move thousands of keys, and all others wait for it: one rename at a time, and of each user one that waits.
  const [ofUser, ofAll] = [fewAtOnce(1), fewAtOnce(1)]
  const inTurn = changing(context)
  const move = moving(context, records)
  const both = (from: string, to: string) => [{ username: from }, { username: to }]
  const views = (from: string, to: string, found: readonly string[]) =>
    found.flatMap((visualization) => both(from, to).map((name) => ({ ...name, visualization })))

  /** What remains to be done once the catalogue has the note. */
  const finish = async (from: string, to: string, id: number): Promise<void> => {
    await (settings.placement === "server" ? finishAtOnce(from, to, id) : finishByCopy(from, to, id))
    await renamed(from, to)
  }

  const answered = (done: number, from: string, to: string): void => {
    if (done < 0) throw usernameTaken(to)
    if (done === 0) throw noUser(from)
  }

  /** The mark is set before visualizations are looked for, so that none is missed; nobody waits for that in the catalogue. */
  const finishByCopy = async (from: string, to: string, id: number): Promise<void> => {
    const inRename = (work: (sql: Sql) => Promise<number>): Promise<number> =>
      inTurn(async (sql) => {
        await lock(sql, "user", from, to)
        if (!(await hasNote(sql, from, to, id))) return (await rowNamed(sql, to))?.id === id ? 1 : 0
        return work(sql)
      })
    const begun = await inRename(async (sql) => {
      if (await move.begin(from, to, id)) return BEGUN
      await endRename(sql, from, to, false)
      return -1
    })
    if (begun !== BEGUN) return answered(begun, from, to)
    const found = await visualizations(from)
    const done = await inRename(async (sql) => {
      const moved = await move.carry(from, to, id, found)
      await endRename(sql, from, to, moved === 1)
      return moved
    })
    answered(done, from, to)
  }

  const finishAtOnce = async (from: string, to: string, id: number): Promise<void> => {
    const names = both(from, to)
    const mapViewsOf = views(from, to, await visualizations(from))
    const done = await inTurn(async (sql) => {
      await lock(sql, "user", from, to)
      if (!(await hasNote(sql, from, to, id))) return (await rowNamed(sql, to))?.id === id ? 1 : 0
      const moved = await db.$steps.renameUser({ user: names, mapViews: names, apiCallsAt: names, mapViewsOf, id })
      await endRename(sql, from, to, moved === 1)
      return moved
    })
    answered(done, from, to)
    const late = await visualizations(from)
    if (late.length > 0) await db.$steps.moveViews({ user: [{ username: from }], mapViewsOf: views(from, to, late) })
  }

  /** Without it, somebody else has finished the rename, or deletes the user. */
  const hasNote = async (sql: Sql, from: string, to: string, id: number): Promise<boolean> => {
    const row = await rowNamed(sql, from)
    return row?.id === id && row.renamed_to === to
  }

  const settleRow = async ({ username, renamed_to, id }: UserRow): Promise<void> => {
    if (renamed_to === null) return
    try {
      await finish(username, renamed_to, id)
    } catch (error) {
      if (!isRefused(error)) throw error // The user then keeps their name, or no longer exists.
    }
  }

  /** Takes up a rename from or to this name that was not finished: the user may have both already. */
  const settle = async (username: string): Promise<void> => {
    for (const row of await source.ask((sql) => rowsLike(sql, username, undefined))) await settleRow(row)
  }

  /** Writes the note. Undefined when another rename of the user is under way. */
  const begin = (from: string, to: string, isStillAllowed?: StillAllowed): Promise<number | undefined> =>
    inTurn(async (sql) => {
      await lock(sql, "user", from, to)
      const found = await records.find(from, KEPT)
      if (found === undefined) {
        const row = await rowNamed(sql, from)
        if (row?.renamed_to !== to) throw noUser(from)
        return row.id
      }
      await isStillAllowed?.()
      const record = whole(from, found)
      await claim(sql, records, to, undefined, from === to ? undefined : record.id)
      if (await beginRename(sql, from, to)) return record.id
      return (await insertRow(sql, { ...rowOf(from, record), renamed_to: to })) ? record.id : undefined
    })

  const renameNow = async (from: string, to: string, isStillAllowed?: StillAllowed): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const id = await begin(from, to, isStillAllowed)
      if (id !== undefined) return finish(from, to, id)
      await settle(from)
    }
    throw busy(from)
  }

  /** On a cluster: finishes the rename for which something of a user waits. */
  const settleMark = async (username: string): Promise<void> => {
    await settle(username)
    await inTurn(async (sql) => {
      await lock(sql, "user", username)
      if ((await rowNamed(sql, username))?.renamed_to == null) await move.unmark(username)
    })
  }

  return {
    settle,
    /** Does what a rename that is under way makes wait. */
    async unlessMoving<T>(username: string, work: () => Promise<T>): Promise<T> {
      for (let tries = 0; tries < TRIES; tries++) {
        try {
          return await work()
        } catch (error) {
          if (!isMoving(error)) throw error
        }
        await settleMark(username)
      }
      throw busy(username)
    },
    /** All that were not finished. */
    async settleAll(): Promise<void> {
      for (const row of await source.ask(pendingRenames)) await settleRow(row)
    },

    rename: (from: string, to: string, isStillAllowed?: StillAllowed): Promise<void> =>
      ofUser(from, () => ofAll("", () => renameNow(from, to, isStillAllowed))),
  }
}

/** What a step says about a user who is being renamed. */
export const isMoving = (error: unknown): boolean => error instanceof Conflict && error.code === "USER.MOVING"

const isRefused = (error: unknown): boolean => error instanceof Problem && [404, 409].includes(error.status)

export type Renaming = ReturnType<typeof renaming>
