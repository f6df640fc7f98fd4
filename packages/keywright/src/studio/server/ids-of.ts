/* Some of the ids that an index, a list or a set holds. A cursor is a place of the server's scan, and
 * how many of that page are done; of a sorted set only the latter. */

import type { Reply } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { queryRefused } from "../../errors/studio.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import type { OpenSystem } from "./open-system.ts"

export interface IdsQuery {
  readonly cursor: string
  readonly most: number
  /** For a sorted set: the highest score first. */
  readonly descending?: boolean
}

/** Throws what the server refuses, that the key has another type included: none would look like an empty one. */
export async function idsOf(
  system: OpenSystem,
  { db, type }: KeyModel,
  key: string,
  { cursor, most, descending = false }: IdsQuery,
): Promise<{ ids: string[]; next: string | undefined }> {
  const [, place, skip] = /^(\d{1,20})\.(\d{1,9})$/.exec(cursor) ?? []
  if (skip === undefined) throw queryRefused("cursor", "it was not made by this studio")
  const driver = system.driverOf(db)
  if (type === "string") {
    const reply = await driver.send(["GET", key], SAFE)
    return { ids: typeof reply === "string" ? [reply] : [], next: undefined }
  }
  const command =
    type === "zset"
      ? ["ZRANGE", key, skip, String(Number(skip) + most - 1), ...(descending ? ["REV"] : [])]
      : ["SSCAN", key, place!, "COUNT", String(most)]
  const reply = await driver.send(command, SAFE)
  if (!Array.isArray(reply)) return { ids: [], next: undefined }
  if (type === "zset") {
    const next = reply.length < most ? undefined : `0.${Number(skip) + most}`
    return { ids: reply.map(String), next }
  }
  const [after, elements] = reply as [Reply, readonly Reply[]]
  const done = Number(skip) + most
  const ids = elements.slice(Number(skip), done).map(String)
  const next = done < elements.length ? `${place}.${done}` : String(after) === "0" ? undefined : `${String(after)}.0`
  return { ids, next }
}
