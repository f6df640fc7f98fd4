/* Suspicions that only time can confirm: what a job may still fix, and what refers to
 * something that no single command can look for. They are kept until the walk is over, or
 * until there are many, and then judged once more. */

import { setTimeout as sleep } from "node:timers/promises"
import { Inquiry, identityOf, type ReportFinding, type Suspicion } from "./inquiry.ts"
import type { Gathering } from "./gathered.ts"
import type { Model } from "../model/model.ts"

/** More than these are not kept: they are settled first. */
const MOST = 10_000

export class Later {
  readonly #model: Model
  readonly #report: ReportFinding
  readonly #gatherings: readonly Gathering[]
  readonly #signal: AbortSignal | undefined
  #waiting = new Map<string, { readonly suspicion: Suspicion; readonly due: number }>()
  #looks: { readonly look: () => Promise<void>; readonly due: number }[] = []

  constructor(model: Model, report: ReportFinding, gatherings: readonly Gathering[], signal: AbortSignal | undefined) {
    this.#model = model
    this.#report = report
    this.#gatherings = gatherings
    this.#signal = signal
  }

  add(suspicion: Suspicion): void {
    const identity = identityOf(suspicion)
    const due = performance.now() + (suspicion.graceMs ?? 0)
    if (!this.#waiting.has(identity)) this.#waiting.set(identity, { suspicion, due })
  }

  /** Looks once more when the time is over. */
  addLook(look: () => Promise<void>, graceMs: number): void {
    this.#looks.push({ look, due: performance.now() + graceMs })
  }

  get isFull(): boolean {
    return this.#waiting.size + this.#looks.length >= MOST
  }

  /** Waits until all are due, and judges them by what is stored then. */
  async settle(): Promise<void> {
    if (this.#waiting.size + this.#looks.length === 0) return
    const [waiting, looks] = [[...this.#waiting.values()], this.#looks]
    ;[this.#waiting, this.#looks] = [new Map(), []]
    const early = Math.max(...[...waiting, ...looks].map(({ due }) => due)) - performance.now()
    if (early > 0) await sleep(early, undefined, this.#signal === undefined ? {} : { signal: this.#signal })
    for (const gathering of this.#gatherings) await gathering.gather()
    const inquiry = new Inquiry(this.#model, this.#report)
    for (const { suspicion } of waiting) inquiry.suspect(suspicion)
    await inquiry.settle()
    for (const { look } of looks) await look()
  }
}
