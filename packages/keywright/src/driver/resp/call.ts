/* One call on its way: in the queue, in flight, or settled.
 *
 * A batch and a transaction are one call with several replies, so that nothing comes
 * between their commands. Calls form a linked list; a settled call stays in its list
 * until its turn comes, because its reply may still arrive and must not be mistaken for
 * another's. */

import { optionsRefusal } from "../call-options.ts"
import { abortedInFlight, abortedInQueue } from "../../errors/driver.ts"
import { errorAfterLoss, replyAfterLoss } from "../after-loss.ts"
import type { CallOptions, Command, Reply, ReplyReader, Script } from "../driver.ts"

export type CallKind = "one" | "batch" | "multi" | "script"

/** For a call without keys: any node of a cluster may answer it. */
export const ANY_NODE = -1
/** For a call to one node of a cluster: no other node may answer it. */
export const THIS_NODE = -2
/** For a batch for several slots of one node: it is split again when the node cannot be reached. */
export const SEVERAL_SLOTS = -3

/** No server answers equally fast each time. */
const MARGIN = 2

/** The part that holds a call and settles it. */
export interface CallHolder {
  giveUp(call: Call, error: Error): void
}

export class Call {
  next: Call | undefined = undefined
  settled = false
  /** Handed to a connection, and not refused since: the server may have carried it out. */
  sent = false
  /**
   * It was sent before and its answer was lost: whatever the later answer, the first attempt may have been carried
   * out.
   */
  lost = false
  /** Replies still to come. */
  left = 1
  replies: Reply[] | undefined = undefined
  /** How many replies the connection had received when this was sent; to tell a slow server from a silent one. */
  mark = 0
  /** Bytes counted against the queue's limit. */
  bytes = 0
  /** The server did not know the digest: send the script itself. */
  inFull = false
  /** The error that it waits out. */
  refusal: Error | undefined = undefined
  /** Called when the caller's signal aborts. */
  holder: CallHolder | undefined = undefined
  #onAbort: (() => void) | undefined = undefined
  /** In a cluster: the slot of its keys, or one of the three above. */
  slot = THIS_NODE
  /** The slot is on its way to the node that this is sent to: ASKING goes before it. */
  asking = false
  /** How many redirects it has followed since it last waited. */
  hops = 0
  /** When it was sent last, in whole milliseconds; 0: never. */
  sentAt = 0
  /** How long its last refusal took, and the shorter of the last two. */
  #lastMs = 0
  #tookMs = 0
  /** When its answer is given up, where a connection limits that. A whole number, as `deadline` is: others are boxed. */
  attemptBy = 0
  /** Turns the reply into what the caller gets. */
  reader: ReplyReader<unknown> | undefined = undefined
  readonly kind: CallKind
  /** The command; for a script what follows its digest; for several the first. */
  readonly command: Command
  readonly commands: readonly Command[] | undefined
  readonly script: Script | undefined
  readonly options: CallOptions | undefined
  readonly deadline: number
  readonly resolve: (reply: never) => void
  readonly reject: (error: unknown) => void

  constructor(
    kind: CallKind,
    command: Command,
    commands: readonly Command[] | undefined,
    script: Script | undefined,
    options: CallOptions | undefined,
    deadline: number,
    resolve: (reply: never) => void,
    reject: (error: unknown) => void,
  ) {
    this.kind = kind
    this.command = command
    this.commands = commands
    this.script = script
    this.options = options
    this.deadline = deadline
    this.resolve = resolve
    this.reject = reject
  }

  /** Listens to the caller's signal, once; false when it was aborted before: the call has failed then. */
  listen(signal: AbortSignal): boolean {
    if (this.#onAbort !== undefined) return true
    const refusal = optionsRefusal({ signal })
    if (refusal !== undefined) return (this.fail(refusal), false)
    if (signal.aborted) {
      this.fail(abortedInQueue(this.name, signal.reason))
      return false
    }
    this.#onAbort = () => {
      const isOut = this.sent || this.lost
      this.holder?.giveUp(this, (isOut ? abortedInFlight : abortedInQueue)(this.name, signal.reason))
    }
    signal.addEventListener("abort", this.#onAbort, { once: true })
    return true
  }

  #unlisten(): void {
    if (this.#onAbort !== undefined) this.options?.signal?.removeEventListener("abort", this.#onAbort)
  }

  /** The server refused it. */
  refused(): void {
    if (this.sentAt === 0) return
    const ms = performance.now() - this.sentAt
    this.#tookMs = Math.min(this.#lastMs, ms)
    this.#lastMs = ms
  }

  /**
   * For a call that was refused more than once: whether less time is left than a round trip took. Sent again, it would
   * end without a reply and with an unknown outcome, whereas the refusal says that nothing was carried out.
   */
  get isTooLate(): boolean {
    return this.refusal !== undefined && this.deadline - performance.now() < this.#tookMs * MARGIN
  }

  /** Settles it with an answer; `where` is for what became uncertain on the way. */
  answer(reply: Reply, where: string): void {
    this.settled = true
    this.#unlisten()
    this.succeed(this.lost ? replyAfterLoss(reply, this.name, where) : reply)
  }

  refuse(error: Error, where: string): void {
    this.settled = true
    this.#unlisten()
    this.fail(this.lost ? errorAfterLoss(error, this.name, where) : error)
  }

  succeed(reply: Reply): void {
    if (this.reader === undefined) return this.resolve(reply as never)
    try {
      this.resolve(this.reader.answered(reply) as never)
    } catch (error) {
      this.reject(error)
    }
  }

  fail(error: unknown): void {
    this.reject(this.reader === undefined ? error : this.reader.failed(error))
  }

  /** For messages: the command's name, never its arguments. */
  get name(): string {
    if (this.script !== undefined) return `script ${this.script.name}`
    if (this.kind === "multi") return "MULTI"
    const name = this.command[0]
    const shown = typeof name === "string" ? name.slice(0, 40).toUpperCase() : "a command"
    return this.kind === "batch" ? `a batch (${shown} …)` : shown
  }
}

/** A first-in, first-out list of calls. */
export class CallList {
  head: Call | undefined = undefined
  #tail: Call | undefined = undefined

  push(call: Call): void {
    call.next = undefined
    if (this.#tail === undefined) this.head = call
    else this.#tail.next = call
    this.#tail = call
  }

  shift(): Call | undefined {
    const call = this.head
    if (call === undefined) return undefined
    this.head = call.next
    if (this.head === undefined) this.#tail = undefined
    call.next = undefined
    return call
  }

  /** Puts the calls of another list in front of these, and leaves the other empty. */
  takeFirst(other: CallList): void {
    if (other.head === undefined || other.#tail === undefined) return
    other.#tail.next = this.head
    if (this.#tail === undefined) this.#tail = other.#tail
    this.head = other.head
    other.head = undefined
    other.#tail = undefined
  }

  /** Visits all, in order; what `keep` answers false for is taken out. */
  filter(keep: (call: Call) => boolean): void {
    let call = this.head
    this.head = undefined
    this.#tail = undefined
    while (call !== undefined) {
      const next: Call | undefined = call.next
      if (keep(call)) this.push(call)
      call = next
    }
  }
}
