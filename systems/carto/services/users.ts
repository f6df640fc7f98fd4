/* Users. A change is made in the catalogue and in Redis within one transaction of the
 * catalogue, so that changes of one user follow one another in both. When Redis refuses
 * or does not answer, the catalogue stays as it was. */

import { randomBytes } from "node:crypto"
import { fewAtOnce } from "../../platform/few-at-once.ts"
import type { CartoContext } from "../context.ts"
import { lock } from "../source/lock.ts"
import { deleteRow, insertRow, updateRow, type Sql } from "../source/users.ts"
import type { UserRow } from "../tables.ts"
import type { StillAllowed } from "./access.ts"
import { changing } from "./changing.ts"
import { claim } from "./claim.ts"
import { noUser, usernameTaken } from "./refusals.ts"
import type { Renaming } from "./renaming.ts"
import { tolerant } from "../../platform/tolerant.ts"
import { isWhole, KEPT, rowOf, whole, type UserRecord, type UserRecords } from "./user-records.ts"

export interface NewUser {
  readonly id: number
  readonly username: string
  readonly database_name: string
  readonly map_key?: string | undefined
}

/** 160 bits, as 40 hexadecimal digits. */
const newKey = () => randomBytes(20).toString("hex")

export function users(context: CartoContext, records: UserRecords, renaming: Renaming) {
  const { db, clock } = context
  const inTurn = changing(context)
  const unlessCorrupt = tolerant(context.lenient)
  // The catalogue takes one change after another: only one change that a user asked for waits there at a time.
  const ofUser = fewAtOnce(1)
  const change = (
    username: string,
    field: "database_name" | "map_key" | "last_active_time",
    value: string,
    isStillAllowed?: StillAllowed,
  ): Promise<void> => {
    const work = () =>
      renaming.unlessMoving(username, () =>
        inTurn(async (sql) => {
          await lock(sql, "user", username)
          await isStillAllowed?.()
          if (!(await updateRow(sql, username, { [field]: value }))) await adopt(sql, username, { [field]: value })
          if (!(await db.$steps.setOfUser({ username, field, value }))) throw noUser(username)
        }),
      )
    return isStillAllowed === undefined ? work() : ofUser(username, work)
  }

  /** Takes a user into the catalogue whom only Redis knows. */
  const adopt = async (sql: Sql, username: string, fields: Partial<UserRow>): Promise<void> => {
    const found = await records.find(username, KEPT)
    if (found === undefined) throw noUser(username)
    await insertRow(sql, { ...rowOf(username, whole(username, { ...found, ...pick(fields) })), ...fields })
  }

  return {
    /** The record in Redis is written last: a user who is found is complete (CDB-2, CDB-3). */
    async create({ id, username, database_name, map_key = newKey() }: NewUser): Promise<UserRecord> {
      await renaming.settle(username)
      const record = { id, database_name, map_key }
      const isNew = await inTurn(async (sql) => {
        await lock(sql, "user", username)
        await claim(sql, records, username, id)
        if (!(await insertRow(sql, rowOf(username, record)))) throw usernameTaken(username)
        if (await db.$steps.createUser({ username, id, database: database_name, mapKey: map_key })) return true
        await deleteRow(sql, id)
        return false
      })
      if (isNew) return record
      await inTurn(async (sql) => {
        await lock(sql, "user", username)
        const taken = await unlessCorrupt(records.find(username, KEPT))
        if (taken !== undefined && isWhole(taken)) await insertRow(sql, rowOf(username, taken))
      })
      throw usernameTaken(username)
    },

    /** Where a user's tables are from now on. */
    move: (username: string, database: string) => change(username, "database_name", database),

    /** A new API key; the old one is not valid any more (CDB-5). */
    async rotateKey(username: string, isStillAllowed?: StillAllowed): Promise<string> {
      const key = newKey()
      await change(username, "map_key", key, isStillAllowed)
      return key
    },

    /** The user loads their dashboard (CDB-19). */
    visit: (username: string, isStillAllowed?: StillAllowed) =>
      change(username, "last_active_time", clock.now().toISOString(), isStillAllowed),
  }
}

/** What the record takes of changed columns. */
const pick = ({ database_name, map_key }: Partial<UserRow>): Partial<UserRecord> => ({
  ...(database_name !== undefined && { database_name }),
  ...(map_key !== undefined && { map_key }),
})
