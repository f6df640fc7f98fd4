/* Renaming a user on a cluster, where the keys of two names are in two slots: a copy instead
 * of RENAME. A mark at the old name makes everything that would change the user wait; all that they
 * have is read, written under the new name in one step, and removed under the old name in one
 * step, with the mark. Each step may be repeated, by any process that finds the note in the catalogue:
 * the copy is recognised by the user's id, and without the mark nothing is removed.
 *
 * The two slots fail over independently, and each may lose its latest writes. With `moveReplicas` each
 * step is on a replica before the next begins, so that one failure leaves the rename whole. */

import type { CartoContext } from "../context.ts"
import type { UserRecords } from "./user-records.ts"

const NOTHING = new Uint8Array()

export function moving({ db }: CartoContext, records: UserRecords) {
  const isNamed = async (username: string, id: number): Promise<boolean> =>
    (await records.find(username, ["id"]))?.id === id

  return {
    /**
     * Sets the mark. False when the other name is taken; that is asked only while the user has this name and no mark,
     * because afterwards it is they who have the other.
     */
    async begin(from: string, to: string, id: number): Promise<boolean> {
      const isMarked = (await db.users.moving({ username: from }).get()) === `${id} ${to}`
      const isTaken = () => db.users.user({ username: to }).exists()
      if (!isMarked && (await isNamed(from, id)) && (from === to || (await isTaken()))) return false
      await db.$steps.beginMove({ username: from, id, to })
      return true
    },

    /** 1 when the user has the new name; 0 when there is no such user; -1 when the new name is taken. */
    async carry(from: string, to: string, id: number, visualizations: readonly string[]): Promise<number> {
      const mapViewsOf = visualizations.map((visualization) => ({ visualization }))
      const packed = await db.$steps.packUser({ username: from, id, to, mapViewsOf })
      if (packed === undefined) {
        if (!(await isNamed(to, id))) return 0
        // The process that moved it may not have got the reply: replicas have it before the catalogue says that it is done.
        await db.$steps.endMove({ username: from, id, to, mapViewsOf, isMoved: true })
        return 1
      }
      const [freshFor, content] = packed
      const filled = content.map((one) => one ?? NOTHING)
      const done = await db.$steps.unpackUser({ username: to, id, mapViewsOf, packed: filled, freshFor })
      await db.$steps.endMove({ username: from, id, to, mapViewsOf, isMoved: done === 1 })
      return done
    },

    /** For a user whom nobody is renaming: removes a mark that was left behind. */
    unmark: (username: string): Promise<boolean> => db.users.moving({ username }).delete(),
  }
}
