/* One call on an injected client, over all its tries. */

import { abortedInFlight, abortedInQueue, timedOutInFlight, timedOutInQueue } from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import { errorAfterLoss, replyAfterLoss } from "../after-loss.ts"
import type { CallOptions, Command, Reply } from "../driver.ts"
import { passesByItself } from "../server-errors.ts"
import type { Ticket } from "./courier.ts"
import type { CallTurn, PendingCall } from "./call-turns.ts"

const AGAIN_MS = 40

export interface InjectedCallOf<T> {
  /** For messages: what was called, and where. */
  readonly name: string
  readonly label: string
  readonly options: CallOptions | undefined
  readonly cluster: boolean
  attempt(ticket: Ticket): Promise<T>
}

export class InjectedCall<T> implements PendingCall {
  settled = false
  readonly #of: InjectedCallOf<T>
  readonly #turn: CallTurn
  readonly #ticket: Ticket
  readonly #resolve: (value: T) => void
  readonly #reject: (error: unknown) => void
  /** The error that it waits out, between two tries. */
  #refusal: KeywrightError | undefined
  /** An answer was lost: from then on no refusal proves that nothing was applied. */
  #lost = false
  #aborted: (() => void) | undefined

  constructor(of: InjectedCallOf<T>, turn: CallTurn, resolve: (value: T) => void, reject: (error: unknown) => void) {
    this.#of = of
    this.#turn = turn
    this.#resolve = resolve
    this.#reject = reject
    this.#ticket = { signal: turn.signal, safe: of.options?.safe === true }
  }

  start(): void {
    const signal = this.#of.options?.signal
    if (signal?.aborted === true) return this.#reject(abortedInQueue(this.#of.name, signal.reason))
    this.#turn.join(this)
    if (signal !== undefined) {
      this.#aborted = () => this.#turn.end(signal.reason)
      signal.addEventListener("abort", this.#aborted, { once: true })
    }
    this.#try()
  }

  expire(): void {
    const { name, label, options } = this.#of
    let error: KeywrightError
    if (this.#refusal !== undefined) error = this.#refusal
    else if (options?.signal?.aborted === true) error = abortedInFlight(name, options.signal.reason)
    else error = timedOutInFlight(name, label, this.#turn.timeoutMs)
    this.#fail(error)
  }

  #try(): void {
    this.#refusal = undefined
    this.#of.attempt(this.#ticket).then(
      (value) => this.#settle(() => this.#resolve(this.#lost ? this.#afterLoss(value) : value)),
      (error: unknown) => this.#failed(error),
    )
  }

  #failed(error: unknown): void {
    if (this.settled) return
    const lost = error instanceof OutcomeUnknown && error.code === "DRIVER.CONNECTION_LOST" && this.#ticket.safe
    const refusal = error instanceof KeywrightError && error.code === "SERVER.EXECABORT" ? error.cause : error
    this.#lost ||= lost
    const refused = passesByItself(refusal) || (this.#of.cluster && isRedirect(refusal))
    if ((lost || refused) && !this.#turn.signal.aborted) {
      this.#refusal = refusal as KeywrightError
      setTimeout(() => this.settled || this.#turn.signal.aborted || this.#try(), AGAIN_MS * (0.5 + Math.random() / 2))
    } else this.#fail(this.#named(error))
  }

  #fail(error: unknown): void {
    const { name, label } = this.#of
    this.#settle(() => this.#reject(this.#lost ? errorAfterLoss(error, name, label) : error))
  }

  #afterLoss(value: T): T {
    const { name, label } = this.#of
    return replyAfterLoss(value as Reply, name, label) as T
  }

  /** The client dropped it unsent because we asked it to: report why we did. */
  #named(error: unknown): unknown {
    const ours = error instanceof KeywrightError && error.code === "DRIVER.NOT_SENT" && this.#turn.signal.aborted
    return ours ? this.#unsent() : error
  }

  #unsent(): KeywrightError {
    const { name, label, options } = this.#of
    if (options?.signal?.aborted === true) return abortedInQueue(name, options.signal.reason)
    return timedOutInQueue(name, label, this.#turn.timeoutMs, undefined)
  }

  #settle(how: () => void): void {
    if (this.settled) return
    this.settled = true
    if (this.#aborted !== undefined) this.#of.options?.signal?.removeEventListener("abort", this.#aborted)
    this.#turn.leave()
    how()
  }
}

/** The slot is elsewhere, or about to be. A cluster client has found out where, by the next try. */
export function isRedirect(error: unknown): boolean {
  return error instanceof KeywrightError && (error.code === "SERVER.MOVED" || error.code === "SERVER.ASK")
}

/** For messages: the command's name, never its arguments. */
export function commandName(command: Command | undefined): string {
  const name = command?.[0]
  return typeof name === "string" ? name.slice(0, 40).toUpperCase() : "a command"
}
