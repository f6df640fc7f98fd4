/* Which lines of an export may be imported: keys that the schema owns, of the type that
 * it declares, in its databases. An export is a file that anybody may have written. */

import { readEnding } from "../../client/entity/expiry.ts"
import type { Wire } from "../../driver/driver.ts"
import { importForeign, importRefused } from "../../errors/change.ts"
import { isText } from "../../inspect/wire.ts"
import type { EntityRole } from "../../schema/key.ts"
import { dumpType } from "../dump-type.ts"
import { wireOf } from "../word.ts"
import type { ValuePart } from "./key-value.ts"
import type { KeyLine } from "./lines.ts"
import type { Owner } from "./owners.ts"

export interface AdmissionOptions {
  /** The databases that the manifest names. */
  readonly databases: readonly number[]
  /** Whose a key is; undefined where the schema has no such database. Without a schema, everything is admitted. */
  readonly owner: ((db: number, key: Wire) => Owner | undefined) | undefined
  readonly show: (db: number, key: Wire) => string
}

/** Throws when a line may not be imported. */
export type Admit = (line: KeyLine, part: ValuePart, number: number) => Promise<void>

export const admission =
  ({ databases, owner, show }: AdmissionOptions): Admit =>
  async (line, part, number) => {
    const { db, type } = line
    const key = wireOf(line.key)
    if (!databases.includes(db)) throw importRefused(number, "it is of a database that the first line does not name")
    // Anything else has a type of its own, and is read and written by its elements.
    if (type === "other" && (await dumpType(part.elements[0] as Uint8Array)) !== "module")
      throw importRefused(number, "its value is not that of a module")
    if (owner === undefined) return
    const owned = owner(db, key)
    const refuse = (why: string) => importForeign(number, show(db, key), why)
    if (owned?.row === undefined) throw refuse("the schema has no pattern for it")
    if (owned.type !== undefined && owned.type !== type)
      throw refuse(`the schema declares a ${owned.type}, and it is a ${type}`)
    if (
      owned.toolkit &&
      owned.row.name === "keywright.expiry" &&
      !part.elements.every((one, i) => i % 2 === 1 || isEnding(String(one), (other) => owner(db, other)))
    )
      throw refuse("it would let the sweeper remove what is not derived from a record")
  }

/** A note of what ends with a record names that record, and entries that are derived from it. */
function isEnding(note: string, owner: (key: string) => Owner | undefined): boolean {
  const ending = readEnding(note)
  if (ending === undefined) return false
  const has = (key: string, ...roles: EntityRole[]) => {
    const role = isText(key) ? owner(key)?.row?.entity?.role : undefined
    return role !== undefined && roles.includes(role)
  }
  return (
    has(ending.record, "record") &&
    ending.entries.every((key) => has(key, "index", "mirror", "all")) &&
    ending.owned.every((key) => has(key, "unique", "mirror"))
  )
}
