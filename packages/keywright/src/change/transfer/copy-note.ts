/* How far a copy got, noted on its target: so the same call continues after a crash, on any
 * machine, and a server that is being copied to is recognised as such. */

import type { Driver } from "../../driver/driver.ts"
import { copyNotEmpty, copyOther } from "../../errors/change.ts"
import type { Database } from "../../inspect/walk/databases.ts"
import { walk } from "../../inspect/walk/walk.ts"
import { SAFE } from "../../driver/safe.ts"
import { parsedJson } from "../../schema/codec/json-checks.ts"
import { copyNoteKey } from "../../schema/toolkit-keys.ts"
import { rowFinder } from "./relocate.ts"

export interface CopyNote {
  /** What is copied, from where. */
  readonly stamp: string
  readonly round: number
  /** For the first round: where to continue. */
  readonly resume?: string
}

const TTL_MS = String(30 * 24 * 60 * 60 * 1000)

export class Notebook {
  readonly #driver: Driver
  readonly #key: string
  readonly #stamp: string

  constructor(driver: Driver, name: string | undefined, stamp: string) {
    this.#driver = driver
    this.#key = copyNoteKey(name)
    this.#stamp = stamp
  }

  /** What an interrupted copy of the same has noted. Throws when another one is under way. */
  async read(): Promise<CopyNote | undefined> {
    const text = await this.#driver.send(["GET", this.#key], SAFE)
    if (typeof text !== "string") return undefined
    const note = parsedJson(text) as Partial<CopyNote> | null | undefined
    if (note?.stamp !== this.#stamp || !Number.isSafeInteger(note.round)) throw copyOther(this.#driver.label, this.#key)
    return note as CopyNote
  }

  async write(round: number, resume?: string): Promise<void> {
    const note: CopyNote = { stamp: this.#stamp, round, ...(resume !== undefined && { resume }) }
    await this.#driver.send(["SET", this.#key, JSON.stringify(note), "PX", TTL_MS], SAFE)
  }

  async remove(): Promise<void> {
    await this.#driver.send(["DEL", this.#key], SAFE)
  }
}

/** Throws when there are keys of the schema already: a copy makes the target what the source is, and would delete them. */
export async function requireEmpty(databases: readonly Database[], signal: AbortSignal | undefined): Promise<void> {
  const finders = new Map(databases.map(({ db, keys }) => [db, rowFinder(keys)]))
  let found: Error | undefined
  const look = walk(databases, { ...(signal !== undefined && { signal }) }, async ({ database, keys }) => {
    const row = keys.map(finders.get(database.db)!).find((one) => one !== undefined)
    if (row === undefined) return
    found = copyNotEmpty(database.driver.label, row.pattern)
    throw found
  })
  await look.catch((error: unknown) => {
    throw found ?? error
  })
}
