/* What has been carried out of a plan, in a file beside it, so that an interrupted run
 * can be continued, and so that only what was done is undone. Its first line says which
 * plan it belongs to and on which server that was carried out, and every line ends with its
 * signature, which covers that of the line before (journal-key.ts) and what the actions
 * of the line do: after these were changed in the plan, it is not valid. A call that continues
 * begins with a line that names the last signature it found: two at the same time write two
 * branches.
 *
 * Before a batch is sent its actions are noted as begun; when it is answered, what
 * became of them. Actions that were begun and not ended may have been carried out. */

import { randomBytes } from "node:crypto"
import { closeSync, ftruncateSync, writeFileSync } from "node:fs"
import { journalRefused } from "../../errors/change.ts"
import { MOST_BYTES_OF_RECORD, readOpen } from "../../files/ordinary-file.ts"
import { type JournalEnd, journalEnd, type Sign, signerOf } from "../journal-key.ts"
import { asUnwritable, openLog } from "../private-file.ts"
import { isSameServer } from "../server-mark.ts"

/** 1 done, 0 not as expected, 2 nothing to do, 3 refused. */
export type ActionOutcome = "0" | "1" | "2" | "3"

const OUTCOMES: readonly ActionOutcome[] = ["0", "1", "2", "3"]
const ZERO = 48

/** What a journal belongs to. */
interface JournalOptions {
  /** The digest of the plan's head. */
  readonly stamp?: string
  /** The digest of what these actions of the plan do. */
  readonly digestOf?: (actions: readonly number[]) => string
  /** Where the plan is carried out; without it, or with `anyServer`, a journal of another server is read, too. */
  readonly server?: string | undefined
  readonly anyServer?: boolean | undefined
}

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
  readonly #digestOf: (actions: readonly number[]) => string
  readonly #digests = new WeakMap<readonly number[], string>()
  #end: JournalEnd | undefined
  /** The signature of the last line that was written or read. */
  #last = ""
  #isContinued = false
  /** Why a line could not be written whole, as on a full disk: nothing may be written behind it. */
  #failure: Error | undefined

  /** The journal of a plan with this many actions. Without a path it is kept in memory alone. */
  constructor(actions: number, path?: string, options: JournalOptions = {}) {
    this.#digits = new Uint8Array(actions)
    this.#sign = path === undefined ? () => "" : signerOf(options.stamp ?? "")
    this.#digestOf = options.digestOf ?? (() => "")
    this.#file = path === undefined ? undefined : openLog(path)
    try {
      if (this.#file !== undefined) this.#read(this.#file, path!, options)
    } catch (error) {
      this.close()
      throw asUnwritable(path!, error)
    }
  }

  begin(actions: readonly number[]): void {
    this.#write(`b ${spell(actions)}`, this.#digest(actions))
  }

  /** What became of actions: a digit for each. */
  end(actions: readonly number[], digits: string): void {
    this.#note(actions, digits)
    const range = rangeOf(actions)
    const inOrder = range && Buffer.from(this.#digits.buffer, range[0], actions.length).toString("latin1")
    this.#write(`e ${spell(actions)} ${inOrder ?? digits}`, this.#digest(actions))
  }

  has(action: number): boolean {
    return this.#digits[action] !== 0
  }

  outcome(action: number): ActionOutcome | undefined {
    const digit = this.#digits[action]!
    return digit === 0 ? undefined : OUTCOMES[digit - ZERO]
  }

  #note(actions: readonly number[], digits: string): void {
    for (let i = 0; i < actions.length; i++) {
      if (this.#digits[actions[i]!] === 0) this.ended++
      this.#digits[actions[i]!] = digits.charCodeAt(i)
    }
  }

  close(): void {
    this.#end?.close()
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #write(line: string, about?: string): void {
    if (this.#file === undefined) return
    if (this.#isContinued) {
      this.#isContinued = false
      this.#write(`run ${this.#last} ${randomBytes(8).toString("hex")}`)
    }
    if (this.#failure !== undefined) throw this.#failure
    const signature = this.#sign(line, this.#last, about)
    try {
      writeFileSync(this.#file, `${line} ${signature}\n`)
    } catch (error) {
      this.#failure = error as Error
      throw error
    }
    this.#last = signature
    this.#end?.write(signature)
  }

  /** The digest of actions in the order in which a line names them, needed when they begin and again when they end. */
  #digest(actions: readonly number[]): string {
    if (this.#file === undefined) return ""
    const known = this.#digests.get(actions)
    if (known !== undefined) return known
    const range = rangeOf(actions)
    const digest = this.#digestOf(range === undefined ? actions : numbersFrom(...range))
    this.#digests.set(actions, digest)
    return digest
  }

  /** A last line that was cut off is as if it had not been written: nothing may be written behind it. */
  #read(file: number, path: string, { stamp = "", server, anyServer = false }: JournalOptions): void {
    const text = readOpen(file, path, MOST_BYTES_OF_RECORD)
    const whole = text.slice(0, text.lastIndexOf("\n") + 1)
    if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole))
    if (whole === "") return this.#start(stamp, server ?? "")
    const lines = whole.slice(0, -1).split("\n")
    const signatures = this.#verified(lines, path, stamp)
    const [, , made, id = ""] = lines[0]!.split(" ")
    if (server !== undefined && !anyServer && !isSameServer(decodeURIComponent(made!), server))
      throw journalRefused(
        path,
        `it was written on ${decodeURIComponent(made!).slice(0, 200)}, and this is another server`,
      )
    this.#end = journalEnd(id, false)
    const end = this.#end.read()
    if (end === undefined || (end !== "" && !signatures.has(end)))
      throw journalRefused(path, "lines that were written here are missing")
    this.#isContinued = true
  }

  #start(stamp: string, server: string): void {
    const id = randomBytes(16).toString("hex")
    this.#end = journalEnd(id, true)
    this.#write(`plan ${stamp} ${encodeURIComponent(server)} ${id}`)
  }

  /** Takes over what the lines say, and returns their signatures; refuses what was not written in this order. */
  #verified(lines: readonly string[], path: string, stamp: string): Set<string> {
    if (!lines[0]!.startsWith(`plan ${stamp} `)) throw journalRefused(path, "it was written for another one")
    const signatures = new Set<string>()
    /** The last signature of each call that wrote it. */
    const ends: string[] = []
    for (const [at, signed] of lines.entries()) {
      const cut = signed.lastIndexOf(" ")
      const [line, signature] = [signed.slice(0, cut), signed.slice(cut + 1)]
      const isFirst = at === 0
      const parent = isFirst ? "" : /^run ([\w-]{43}) [0-9a-f]{16}$/.exec(line)?.[1]
      const entry = isFirst || parent !== undefined ? undefined : this.#entry(line, path)
      const about = entry && this.#digest(entry.actions)
      const isTwice = signatures.has(signature)
      const isKnown = isFirst || (parent !== undefined && signatures.has(parent))
      const branch =
        parent === undefined
          ? ends.findLastIndex((before) => this.#sign(line, before, about) === signature)
          : ends.length
      if (isTwice || branch < 0 || (parent !== undefined && (!isKnown || this.#sign(line, parent) !== signature)))
        throw journalRefused(
          path,
          "it has a line that this user did not write here, for this plan, after the line before it",
        )
      ends[branch] = signature
      signatures.add(signature)
      this.#last = signature
      if (entry !== undefined) this.#take(entry)
    }
    return signatures
  }

  #entry(line: string, path: string): JournalEntry {
    const entry = readEntry(line, this.#digits.length)
    if (entry === undefined) throw journalRefused(path, "it has a line that no journal has")
    return entry
  }

  #take({ kind, actions, digits }: JournalEntry): void {
    if (kind === "b")
      for (const action of actions) {
        if (this.begun.has(action)) this.begunAgain.add(action)
        this.begun.add(action)
      }
    if (digits === undefined) return
    for (const action of actions) this.begun.delete(action)
    this.#note(actions, digits)
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
  return last < first ? undefined : numbersFrom(first, last)
}

function numbersFrom(first: number, last: number): number[] {
  const numbers: number[] = []
  for (let i = first; i <= last; i++) numbers.push(i)
  return numbers
}
