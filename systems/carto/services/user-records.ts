/* The records by which users are found: which fields they have, and whether those are sufficient. */

import type { CartoContext } from "../context.ts"
import type { UserRow } from "../tables.ts"
import { incomplete } from "./refusals.ts"

export interface UserRecord {
  readonly id: number
  readonly database_name: string
  readonly map_key: string
  readonly api_calls?: readonly number[] | undefined
  readonly last_active_time?: Date | undefined
}

const NEEDED = ["id", "database_name", "map_key"] as const
/** What the catalogue keeps too. */
export const KEPT = [...NEEDED, "last_active_time"] as const

export function userRecords({ db }: CartoContext) {
  return {
    /** These fields of a user's record, as far as they exist; undefined when there is none. Others may be corrupt. */
    async find(username: string, fields: readonly (keyof UserRecord)[]): Promise<Partial<UserRecord> | undefined> {
      const user = db.users.user({ username })
      const found: Partial<UserRecord> = await user.getMany(fields)
      return Object.keys(found).length > 0 || (await user.exists()) ? found : undefined
    },
  }
}

export const isWhole = (found: Partial<UserRecord>): found is UserRecord =>
  NEEDED.every((field) => found[field] !== undefined)

/** The record, unless it lacks a field. */
export function whole(username: string, found: Partial<UserRecord>): UserRecord {
  if (isWhole(found)) return found
  throw incomplete(
    username,
    NEEDED.find((field) => found[field] === undefined)!,
  )
}

/** As the catalogue keeps it. */
export const rowOf = (username: string, record: UserRecord): UserRow => ({
  id: record.id,
  username,
  database_name: record.database_name,
  map_key: record.map_key,
  last_active_time: record.last_active_time?.toISOString() ?? null,
  renamed_to: null,
})

export type UserRecords = ReturnType<typeof userRecords>
