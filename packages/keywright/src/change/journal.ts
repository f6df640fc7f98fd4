/* What has been carried out of a plan, in a file beside it, so that a process that was
 * killed can be gone on with, and so that only what was done is undone.
 *
 * Before a batch is sent its actions are noted as begun; when it is answered, what
 * became of them. Actions that were begun and not ended may have been carried out. */

import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs"

/** 1 done, 0 not as expected, 2 nothing to do, 3 refused. */
export type Outcome = "0" | "1" | "2" | "3"

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

  /** Of a plan with so many actions. Without a path it is kept in memory alone. */
  constructor(actions: number, path?: string) {
    this.#digits = new Uint8Array(actions)
    if (path !== undefined && existsSync(path)) this.#read(path)
    this.#file = path === undefined ? undefined : openSync(path, "a", 0o600)
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

  outcome(action: number): Outcome | undefined {
    const digit = this.#digits[action]!
    return digit === 0 ? undefined : (String(digit - ZERO) as Outcome)
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
    if (this.#file !== undefined) writeSync(this.#file, `${line}\n`)
  }

  /** A last line that was cut off is as if it had not been written: nothing may be written behind it. */
  #read(path: string): void {
    const text = readFileSync(path, "utf8")
    const whole = text.slice(0, text.lastIndexOf("\n") + 1)
    if (whole.length < text.length) truncateSync(path, whole.length)
    for (const line of whole.split("\n")) {
      const [kind, list, digits] = line.split(" ")
      const actions = list === undefined ? [] : read(list)
      if (kind === "b")
        for (const action of actions) {
          if (this.begun.has(action)) this.begunAgain.add(action)
          this.begun.add(action)
        }
      if (kind !== "e") continue
      for (const action of actions) this.begun.delete(action)
      this.#note(actions, digits!)
    }
  }
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

function read(list: string): number[] {
  const [first, last] = list.split("-").map(Number)
  if (last === undefined || list.includes(",")) return list.split(",").map(Number)
  return Array.from({ length: last - first! + 1 }, (_, i) => first! + i)
}
