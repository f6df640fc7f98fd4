/* How far an import got, noted in a file beside the export, so that the same call continues
 * after a crash. Others may be able to write beside an export, and what the notes say is not
 * imported again: so they are signed with the key of this user (journal-key.ts), name the server,
 * and count only while that import is under way, which is noted in this user's own folder. */

import { randomBytes } from "node:crypto"
import { existsSync, rmSync } from "node:fs"
import { importNotesRefused } from "../../errors/change.ts"
import { type JournalEnd, journalEnd, type Sign, signerOf } from "../journal-key.ts"
import { readOwnText, replaceText } from "../private-file.ts"
import { isSameServer } from "../server-mark.ts"

/** Where an import is: at the end of which line, and what became of the keys up to there. */
export interface ImportPlace<Counts> {
  readonly offset: number
  readonly line: number
  readonly counts: Counts
}

interface Notes<Counts> extends ImportPlace<Counts> {
  readonly id: string
  readonly stamp: string
  readonly server: string
}

// They have the same length, because one is written over the other.
const UNDER_WAY = "open"
const OVER = "done"

export class ImportNotes<Counts> {
  readonly #path: string
  readonly #stamp: string
  readonly #server: string
  readonly #sign: Sign
  #id = ""
  #state: JournalEnd | undefined

  /** `stamp` is equal for the same export, imported in the same way. */
  constructor(exported: string, stamp: string, server: string) {
    this.#path = `${exported}.import`
    this.#stamp = stamp
    this.#server = server
    this.#sign = signerOf("import")
  }

  /** Where this import stopped; undefined when it was not begun, or is over. */
  read(): ImportPlace<Counts> | undefined {
    if (!existsSync(this.#path)) return undefined
    const [body = "", signature] = readOwnText(this.#path).split("\n")
    if (signature !== this.#sign(body)) throw importNotesRefused(this.#path)
    const { id, stamp, server, ...place } = JSON.parse(body) as Notes<Counts>
    if (stamp !== this.#stamp || !isSameServer(server, this.#server)) return undefined
    const state = journalEnd(id, false)
    if (state.read() !== UNDER_WAY) {
      state.close()
      return undefined
    }
    this.#id = id
    this.#state = state
    return place
  }

  write(place: ImportPlace<Counts>): void {
    if (this.#state === undefined) this.#begin()
    const notes: Notes<Counts> = { id: this.#id, stamp: this.#stamp, server: this.#server, ...place }
    const body = JSON.stringify(notes)
    replaceText(this.#path, `${body}\n${this.#sign(body)}`)
  }

  #begin(): void {
    this.#id = randomBytes(16).toString("hex")
    this.#state = journalEnd(this.#id, true)
    this.#state.write(UNDER_WAY)
  }

  /** The import is over: its notes count no more, wherever somebody keeps a copy of them. */
  finish(): void {
    this.#state?.write(OVER)
    rmSync(this.#path, { force: true })
  }

  close(): void {
    this.#state?.close()
  }
}
