/* Calls that wait for a node: their slot has no owner, or a node said "not now". They
 * wait until their deadlines at most, and hold up nothing else. */

import { driverClosed, queueFull } from "../../errors/driver.ts"
import { type Call, type CallHolder, CallList } from "../resp/call.ts"
import { Deadlines } from "../resp/deadlines.ts"

const SHORTEST_MS = 10
const LONGEST_MS = 50

export interface LobbyOptions {
  readonly label: string
  readonly queueCalls: number
  /** Sends it to a node, or back here. */
  readonly route: (call: Call) => void
  readonly tooLate: (call: Call) => Error
}

export class Lobby implements CallHolder {
  readonly #options: LobbyOptions
  /** Until an owner is known. */
  readonly #ownerless = new CallList()
  /** Until a moment has passed. */
  readonly #parked = new CallList()
  readonly #deadlines = new Deadlines((now) => this.#sweep(now))
  #timer: NodeJS.Timeout | undefined
  #size = 0
  #isClosed = false
  #emptied: (() => void) | undefined

  constructor(options: LobbyOptions) {
    this.#options = options
  }

  /** Whether calls wait for an owner. */
  get isAwaiting(): boolean {
    return this.#ownerless.head !== undefined
  }

  /** Waits for an owner. */
  await(call: Call): void {
    this.#take(call, this.#ownerless)
  }

  /** Waits a random number of milliseconds. */
  park(call: Call): void {
    this.#take(call, this.#parked)
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        this.#routeAll(this.#parked)
      },
      SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS),
    )
  }

  /** Owners may have become known. */
  retry(): void {
    this.#routeAll(this.#ownerless)
  }

  giveUp(call: Call, error: Error): void {
    if (!call.settled) call.refuse(error, this.#options.label)
  }

  /** When nobody waits any more. */
  async close(): Promise<void> {
    if (this.#size > 0) await new Promise<void>((resolve) => (this.#emptied = resolve))
    this.#isClosed = true
    this.#deadlines.stop()
    clearTimeout(this.#timer)
  }

  #take(call: Call, list: CallList): void {
    const { label, queueCalls } = this.#options
    if (this.#isClosed) return call.refuse(driverClosed(call.name, label), label)
    const signal = call.options?.signal
    if (signal !== undefined && !call.listen(signal)) return
    if (this.#size >= queueCalls) return call.refuse(queueFull(call.name, label, this.#size, 0), label)
    call.holder = this
    this.#size++
    list.push(call)
    this.#deadlines.add(call.deadline)
  }

  #routeAll(list: CallList): void {
    const calls: Call[] = []
    for (let call = list.shift(); call !== undefined; call = list.shift()) calls.push(call)
    this.#size -= calls.length
    for (const call of calls) if (!call.settled) this.#options.route(call)
    this.#tellIfEmpty()
  }

  #sweep(now: number): number {
    let next = Infinity
    for (const list of [this.#ownerless, this.#parked]) {
      list.filter((call) => {
        if (!call.settled && call.deadline > now) {
          next = Math.min(next, call.deadline)
          return true
        }
        if (!call.settled) call.refuse(this.#options.tooLate(call), this.#options.label)
        this.#size--
        return false
      })
    }
    this.#tellIfEmpty()
    return next
  }

  #tellIfEmpty(): void {
    if (this.#size === 0) this.#emptied?.()
  }
}
