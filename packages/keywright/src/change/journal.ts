/* What has been carried out of a plan, in a file beside it, so that an interrupted run
 * can be continued, and so that only what was done is undone. Its first line says which
 * plan it belongs to, and every line ends with its signature (journal-key.ts).
 *
 * Before a batch is sent its actions are noted as begun; when it is answered, what
 * became of them. Actions that were begun and not ended may have been carried out. */

import { closeSync, ftruncateSync, writeSync } from "node:fs"
import { journalRefused } from "../errors/change.ts"
import { MOST_BYTES_OF_RECORD, readOpen } from "../files/ordinary-file.ts"
import { type Sign, signerOf } from "./journal-key.ts"
import { openLog } from "./private-file.ts"

/** 1 done, 0 not as expected, 2 nothing to do, 3 refused. */
export type ActionOutcome = "0" | "1" | "2" | "3"

const ZERO = 48

export class Journal {
  /** How many actions have ended. */
  ended = 0
  readonly begun = new Set<number>()
  /** Those that were begun again after a crash: what became of them may be what was done before it. */
  readonly begunAgain = new Set<number>()
  /** The digit of each action, as a character; 0 while it has none. */
  readonly #digits: Uint8Array
  readonly #file: number | undefined
  readonly #sign: Sign

  /**
   * The journal of a plan with this many actions, whose digest is `stamp`. Without a path it is kept in memory alone.
   */
  constructor(actions: number, path?: string, stamp = "") {
    this.#digits = new Uint8Array(actions)
    this.#sign = path === undefined ? () => "" : signerOf(stamp)
    this.#file = path === undefined ? undefined : openLog(path)
    try {
      if (this.#file !== undefined) this.#read(this.#file, path!, stamp)
    } catch (error) {
      this.close()
      throw error
    }
  }

  begin(actions: readonly number[]): void {
    this.#write(`b ${spell(actions)}`)
  }

  /** What became of actions: a digit for each. */
  end(actions: readonly number[], digits: string): void {
    this.#note(actions, digits)
    const range = rangeOf(actions)
    const inOrder = range && Buffer.from(this.#digits.buffer, range[0], actions.length).toString("latin1")
    this.#write(`e ${spell(actions)} ${inOrder ?? digits}`)
  }

  has(action: number): boolean {
    return this.#digits[action] !== 0
  }

  outcome(action: number): ActionOutcome | undefined {
    const digit = this.#digits[action]!
    return digit === 0 ? undefined : (String(digit - ZERO) as ActionOutcome)
  }

  #note(actions: readonly number[], digits: string): void {
    for (let i = 0; i < actions.length; i++) {
      if (this.#digits[actions[i]!] === 0) this.ended++
      this.#digits[actions[i]!] = digits.charCodeAt(i)
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #write(line: string): void {
    if (this.#file !== undefined) writeSync(this.#file, `${line} ${this.#sign(line)}\n`)
  }

  /** A last line that was cut off is as if it had not been written: nothing may be written behind it. */
  #read(file: number, path: string, stamp: string): void {
    const text = readOpen(file, path, MOST_BYTES_OF_RECORD)
    const whole = text.slice(0, text.lastIndexOf("\n") + 1)
    if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole))
    const lines = whole === "" ? [] : whole.slice(0, -1).split("\n")
    const first = `plan ${stamp}`
    if (lines.length === 0) this.#write(first)
    else if (!lines[0]!.startsWith(`${first} `)) throw journalRefused(path, "it was written for another one")
    for (const signed of lines) {
      const end = signed.lastIndexOf(" ")
      const line = signed.slice(0, end)
      if (end < 0 || signed.slice(end + 1) !== this.#sign(line))
        throw journalRefused(path, "it has a line that was not written here, by this user")
      if (line === first) continue
      const { kind, actions, digits } = readEntry(line, this.#digits.length) ?? {}
      if (actions === undefined) throw journalRefused(path, "it has a line that no journal has")
      if (kind === "b")
        for (const action of actions) {
          if (this.begun.has(action)) this.begunAgain.add(action)
          this.begun.add(action)
        }
      if (digits === undefined) continue
      for (const action of actions) this.begun.delete(action)
      this.#note(actions, digits)
    }
  }
}

interface JournalEntry {
  readonly kind: string
  readonly actions: readonly number[]
  /** What became of them, where they ended. */
  readonly digits: string | undefined
}

/** A line of the journal; undefined when it is something else. */
function readEntry(line: string, most: number): JournalEntry | undefined {
  const [kind, list = "", digits, ...rest] = line.split(" ")
  if ((kind !== "b" && kind !== "e") || rest.length > 0 || (kind === "e") !== (digits !== undefined)) return undefined
  const actions = readNumbers(list, most)
  if (actions === undefined || (digits !== undefined && !(digits.length === actions.length && /^[0-3]+$/.test(digits))))
    return undefined
  return { kind, actions, digits }
}

/** `"0-249"` where none is missing in between, else `"3,7,9"`. */
function spell(actions: readonly number[]): string {
  return rangeOf(actions)?.join("-") ?? actions.join(",")
}

/** The first and the last, where all in between are there too, in whatever order. */
function rangeOf(actions: readonly number[]): readonly [number, number] | undefined {
  let [first = 0, last = 0] = [actions[0], actions[0]]
  for (const action of actions) {
    if (action < first) first = action
    if (action > last) last = action
  }
  return last - first + 1 === actions.length ? [first, last] : undefined
}

/** The numbers of actions, each below `most`. */
function readNumbers(list: string, most: number): number[] | undefined {
  const isRange = /^\d{1,10}-\d{1,10}$/.test(list)
  const numbers = list.split(isRange ? "-" : ",")
  if (!numbers.every((one) => /^\d{1,10}$/.test(one) && Number(one) < most)) return undefined
  const [first, last] = numbers.map(Number) as [number, number]
  if (!isRange) return numbers.map(Number)
  return last < first ? undefined : Array.from({ length: last - first + 1 }, (_, i) => first + i)
}
