/* What has been carried out of a plan, in a file beside it, so that a process that was
 * killed can be gone on with, and so that only what was done is undone.
 *
 * Before a batch is sent its actions are noted as begun; when it is answered, what
 * became of them. Actions that were begun and not ended may have been carried out. */

import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs"

/** 1 done, 0 not as expected, 2 nothing to do, 3 refused. */
export type Outcome = 0 | 1 | 2 | 3

export class Journal {
  readonly outcomes = new Map<number, Outcome>()
  readonly begun = new Set<number>()
  readonly #file: number | undefined

  /** Without a path it is kept in memory alone. */
  constructor(path?: string) {
    if (path !== undefined && existsSync(path)) this.#read(readFileSync(path, "utf8"))
    this.#file = path === undefined ? undefined : openSync(path, "a", 0o600)
  }

  begin(actions: readonly number[]): void {
    this.#write(`b ${actions.join(",")}`)
  }

  end(actions: readonly number[], outcomes: readonly Outcome[]): void {
    actions.forEach((action, i) => this.outcomes.set(action, outcomes[i]!))
    this.#write(`e ${actions.join(",")} ${outcomes.join("")}`)
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #write(line: string): void {
    if (this.#file !== undefined) writeSync(this.#file, `${line}\n`)
  }

  /** A last line that was cut off is as if it had not been written. */
  #read(text: string): void {
    for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
      const [kind, list, digits] = line.split(" ")
      const actions = list === undefined ? [] : list.split(",").map(Number)
      if (kind === "b") for (const action of actions) this.begun.add(action)
      if (kind !== "e") continue
      actions.forEach((action, i) => {
        this.begun.delete(action)
        this.outcomes.set(action, Number(digits![i]) as Outcome)
      })
    }
  }
}
