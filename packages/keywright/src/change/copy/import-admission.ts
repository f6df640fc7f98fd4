/* Which lines of an export may be imported: keys that the schema owns, of the type that
 * it declares, in its databases. An export is a file that anybody may have written. */

import { HIGHEST_IMPORTED } from "../../client/plan/highest-counter.ts"
import type { Wire } from "../../driver/driver.ts"
import { importCounter, importForeign, importModule, importNote, importRefused } from "../../errors/change.ts"
import type { Key } from "../../schema/key.ts"
import { wireOf } from "../plan/word.ts"
import { type NoteFault, OTHER_SCHEMA } from "./import-note.ts"
import type { ValuePart } from "./key-value.ts"
import type { KeyLine } from "./lines.ts"
import type { CopiedAs } from "./owners.ts"
import { isRestorable } from "./restorable.ts"

export interface AdmissionOptions {
  /** The databases that the manifest names. */
  readonly databases: readonly number[]
  /** Whose a key is; undefined where the schema has no such database. */
  readonly owner: (db: number, key: Wire) => CopiedAs | undefined
  /** Keys that the schema does not own are admitted, and notes that somebody else wrote. */
  readonly foreign: boolean
  /** Why a note of the toolkit's own is refused, or stays behind. */
  readonly noteFault: (row: Key, key: string, line: KeyLine, part: ValuePart) => NoteFault
  /** Values of modules are, too. */
  readonly modules: boolean
  readonly show: (db: number, key: Wire) => string
}

/** Whether a line is imported, with what would be written of it; throws when nothing of its file may be. */
export type Admit = (line: KeyLine, part: ValuePart, number: number) => Promise<boolean>

export const admission =
  ({ databases, owner, foreign, noteFault, modules, show }: AdmissionOptions): Admit =>
  async (line, part, number) => {
    const { db, type } = line
    const key = wireOf(line.key)
    if (!databases.includes(db))
      throw importRefused(number, "it belongs to a database that the first line does not name")
    // Anything else has its own type, and is read and written by its elements.
    if (!(await isRestorable(part))) throw importRefused(number, "its value is not that of a module")
    if (type === "other" && !modules) throw importModule(number, show(db, key))
    const owned = owner(db, key)
    // No import keeps records from being created.
    if (isBeyondIds(owned?.row, part)) throw importCounter(number, show(db, key), HIGHEST_IMPORTED)
    if (foreign) return true
    const refuse = (why: string) => importForeign(number, show(db, key), why)
    if (owned?.row === undefined) throw refuse("the schema has no pattern for it")
    if (owned.type !== undefined && owned.type !== type)
      throw refuse(`the schema declares a ${owned.type}, and it is a ${type}`)
    const fault = owned.toolkit ? noteFault(owned.row, String(key), line, part) : undefined
    if (typeof fault === "string") throw importNote(number, show(db, key), fault)
    return fault !== OTHER_SCHEMA
  }

/** A counter that few ids come after, or none. */
export const isBeyondIds = (row: Key | undefined, { type, elements: [text] }: ValuePart): boolean =>
  row?.entity?.role === "counter" && type === "string" && /^\d+$/.test(String(text)) && Number(text) > HIGHEST_IMPORTED
