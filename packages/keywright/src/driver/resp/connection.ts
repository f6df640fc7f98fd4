/* One logical connection: a queue of calls, and a link to write them to.
 *
 * What becomes of a call is decided here, and only here:
 *  - Calls wait in the queue while there is no link, or while it takes no more
 *    bytes. All calls of a tick go out in one write.
 *  - A call that never left the queue fails as NotApplied. One that was written
 *    and not answered fails as OutcomeUnknown, unless it is marked safe: then it
 *    goes to the head of the queue and out on the next link. From then on no
 *    refusal makes its outcome certain again (see after-loss.ts).
 *  - The server's "not now" (see server-errors.ts) parks a call for some
 *    milliseconds; this try was not applied.
 *  - When a deadline passes on a link that was silent since that call was written,
 *    the link is retired: new calls go to a new one, and the calls in flight keep
 *    their chance of an answer until their own deadlines.
 *  - When the deadline of the first call passes in the middle of its reply, the link
 *    is ended: that reply may have no end, and takes memory as long as it lasts. */

import {
  abortedInFlight,
  abortedInQueue,
  connectionLost,
  driverClosed,
  queueFull,
  timedOutInFlight,
  timedOutInQueue,
} from "../../errors/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { Refused } from "../../errors/outcome.ts"
import type { CallOptions, Command, Reply, ReplyReader, Script, Transport, Wire } from "../driver.ts"
import { isNoScript, passesByItself } from "../server-errors.ts"
import { errorAfterLoss, replyAfterLoss } from "../after-loss.ts"
import { backoffMs } from "./backoff.ts"
import { Call, type CallKind, CallList } from "./call.ts"
import { Deadlines } from "./deadlines.ts"
import { greet, type Greeting } from "./greet.ts"
import type { Link, LinkOwner } from "./link.ts"
import { fitting, fittingOne } from "../fitting.ts"
import { outcomeOfMulti } from "./multi-outcome.ts"

/** Opens a transport. Gives up, and leaves nothing open, when the signal says so. */
export type Dial = (signal: AbortSignal) => Promise<Transport>

export interface ConnectionOptions extends Greeting {
  readonly dial: Dial
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  readonly queueCalls: number
  readonly queueBytes: number
}

const PARKED_MS = 40
const EARLY_BYTES = 32_768
/** How often a link is looked at whose first call is past its deadline. */
const LOOKED_AT_MS = 500

export class Connection implements LinkOwner {
  readonly label: string
  readonly #options: ConnectionOptions
  readonly #queue = new CallList()
  readonly #parked = new CallList()
  readonly #retiring = new Set<Link>()
  readonly #deadlines = new Deadlines((now) => this.#sweep(now))
  #link: Link | undefined
  #dialling: AbortController | undefined
  #redial: NodeJS.Timeout | undefined
  #unpark: NodeJS.Timeout | undefined
  #attempt = 0
  #lastError: unknown
  #scheduled = false
  /** The last words of the calls of this tick, added up: where values are. */
  #waitingBytes = 0
  #now = 0
  /** Calls that are not settled. */
  #open = 0
  #queued = 0
  #queuedBytes = 0
  #closing: (() => void) | undefined
  #closed: Promise<void> | undefined
  #ended = false

  constructor(options: ConnectionOptions) {
    this.label = options.label
    this.#options = options
    this.#dial()
  }

  call(
    kind: CallKind,
    command: Command,
    commands: readonly Command[] | undefined,
    script: Script | undefined,
    options: CallOptions | undefined,
    reader?: ReplyReader<unknown>,
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (!this.#scheduled) this.#schedule()
      const deadline = this.#now + (options?.timeoutMs ?? this.#options.timeoutMs)
      const call = new Call(kind, command, commands, script, options, deadline, resolve, reject)
      call.reader = reader
      if (this.#closed !== undefined) return call.fail(driverClosed(call.name, this.label))
      if (options?.signal !== undefined && !this.#listen(call, options.signal)) return
      if ((this.#link === undefined || !this.#link.room) && !this.#admit(call)) return
      this.#open++
      this.#queued++
      this.#queue.push(call)
      this.#deadlines.add(deadline)
      // Large values go out before the tick ends: the server works on them while the next ones are encoded.
      this.#waitingBytes += (command[command.length - 1] as Wire).length
      if (this.#waitingBytes >= EARLY_BYTES) this.#flush()
    })
  }

  /** Waits for the answers that are due, each up to its deadline, and ends the connection. */
  close(): Promise<void> {
    if (this.#closed !== undefined) return this.#closed
    this.#closed = new Promise((resolve) => (this.#closing = resolve))
    this.#endIfDone()
    return this.#closed
  }

  onAnswer(call: Call, reply: Reply): void {
    if (this.#retiring.size > 0) this.#dismissIdle()
    if (call.settled) return
    if (call.kind === "batch") this.#answerBatch(call, fitting(call.commands!, reply as Reply[]))
    else if (call.kind === "multi") this.#answerOne(call, outcomeOfMulti(call.commands!, reply as Reply[]))
    else this.#answerOne(call, call.kind === "one" ? fittingOne(call.command, reply) : reply)
  }

  onRoom(link: Link): void {
    if (link === this.#link) this.#flush()
  }

  onEnd(link: Link, reason: Error | undefined): void {
    this.#lastError = reason ?? this.#lastError ?? new Error("the server closed the connection")
    this.#retiring.delete(link)
    link.inFlight.filter((call) => {
      if (call.settled) return false
      if (call.options?.safe === true) {
        call.lost = true
        this.#queued++
        return true
      }
      this.#reject(call, connectionLost(call.name, this.label, reason))
      return false
    })
    this.#queue.takeFirst(link.inFlight)
    this.#schedule()
    if (link !== this.#link) return
    this.#link = undefined
    this.#dialLater()
  }

  #answerOne(call: Call, reply: Reply): void {
    if (!(typeof reply === "object" && reply instanceof KeywrightError)) return this.#resolve(call, reply)
    // Of a MULTI that was discarded, what it was discarded for counts.
    const refusal = reply.code === "SERVER.EXECABORT" ? ((reply.cause as KeywrightError | undefined) ?? reply) : reply
    if (call.script !== undefined && isNoScript(reply) && !call.inFull) {
      call.inFull = true
      this.#again(call, this.#queue)
    } else if (passesByItself(refusal)) this.#park(call, refusal)
    else this.#reject(call, reply)
  }

  #answerBatch(call: Call, replies: readonly Reply[]): void {
    const refused = replies.every((reply) => reply instanceof KeywrightError && passesByItself(reply))
    if (refused) this.#park(call, replies[0] as KeywrightError)
    else this.#resolve(call, replies)
  }

  #park(call: Call, error: KeywrightError): void {
    call.refusal = error
    this.#again(call, this.#parked)
    this.#unpark ??= setTimeout(
      () => {
        this.#unpark = undefined
        this.#queue.takeFirst(this.#parked)
        this.#flush()
      },
      PARKED_MS * (0.5 + Math.random() / 2),
    )
  }

  #again(call: Call, list: CallList): void {
    call.sent = false
    this.#queued++
    list.push(call)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    this.#now = performance.now()
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    this.#waitingBytes = 0
    const link = this.#link
    if (link === undefined) return
    while (link.room && !link.ended && this.#queue.head !== undefined) {
      let full = false
      while (!full && this.#queue.head !== undefined) {
        const call = this.#queue.shift() as Call
        this.#dequeued(call)
        if (!call.settled) full = link.add(call)
      }
      link.flush()
    }
  }

  #dequeued(call: Call): void {
    this.#queued--
    this.#queuedBytes -= call.bytes
    call.bytes = 0
  }

  /** Whether the queue has room for it. A single large call is always let in when the queue holds no other. */
  #admit(call: Call): boolean {
    const { queueCalls, queueBytes } = this.#options
    call.bytes = call.commands === undefined ? bytesOf(call.command) : call.commands.reduce((n, c) => n + bytesOf(c), 0)
    const bytes = this.#queuedBytes + call.bytes
    if (this.#queued >= queueCalls || (bytes > queueBytes && this.#queuedBytes > 0)) {
      this.#unlisten(call)
      call.fail(queueFull(call.name, this.label, this.#queued, this.#queuedBytes))
      return false
    }
    this.#queuedBytes = bytes
    return true
  }

  #listen(call: Call, signal: AbortSignal): boolean {
    if (signal.aborted) {
      call.fail(abortedInQueue(call.name, signal.reason))
      return false
    }
    call.onAbort = () => {
      const isOut = call.sent || call.lost
      this.#reject(call, isOut ? abortedInFlight(call.name, signal.reason) : abortedInQueue(call.name, signal.reason))
    }
    signal.addEventListener("abort", call.onAbort, { once: true })
    return true
  }

  #unlisten(call: Call): void {
    if (call.onAbort !== undefined) call.options?.signal?.removeEventListener("abort", call.onAbort)
  }

  #resolve(call: Call, reply: Reply): void {
    call.settled = true
    this.#unlisten(call)
    call.succeed(call.lost ? replyAfterLoss(reply, call.name, this.label) : reply)
    this.#open--
    if (this.#closing !== undefined) this.#endIfDone()
  }

  #reject(call: Call, error: Error): void {
    if (call.settled) return
    call.settled = true
    this.#unlisten(call)
    call.fail(call.lost ? errorAfterLoss(error, call.name, this.label) : error)
    this.#open--
    if (this.#closing !== undefined) this.#endIfDone()
  }

  /** Settles what is due. Returns the earliest deadline that is left. */
  #sweep(now: number): number {
    let next = Infinity
    const due = (call: Call): boolean => {
      if (!call.settled && call.deadline > now) next = Math.min(next, call.deadline)
      return !call.settled && call.deadline <= now
    }
    for (const list of [this.#queue, this.#parked]) {
      list.filter((call) => {
        if (due(call)) this.#reject(call, call.refusal ?? this.#tooLate(call))
        if (call.settled) this.#dequeued(call)
        return !call.settled
      })
    }
    for (const link of this.#link === undefined ? this.#retiring : [this.#link, ...this.#retiring]) {
      let silent = false
      for (let call = link.inFlight.head; call !== undefined; call = call.next) {
        if (!due(call)) continue
        silent ||= call.mark === link.received
        this.#reject(call, timedOutInFlight(call.name, this.label, this.#timeoutOf(call)))
      }
      const first = link.inFlight.head
      if (first !== undefined && first.settled && first.deadline <= now) {
        next = Math.min(next, now + LOOKED_AT_MS)
        if (link.isInsideReply) setImmediate(() => dropIfInside(link, first))
      }
      if (silent && link === this.#link) this.#retire(link)
    }
    this.#dismissIdle()
    return next
  }

  #retire(link: Link): void {
    this.#link = undefined
    this.#retiring.add(link)
    this.#lastError = new Error("the server does not answer")
    this.#dial()
  }

  #dismissIdle(): void {
    for (const link of this.#retiring) if (link.idle) link.end()
  }

  #tooLate(call: Call): Error {
    const cause = this.#link === undefined ? this.#lastError : undefined
    return timedOutInQueue(call.name, this.label, this.#timeoutOf(call), cause)
  }

  #timeoutOf(call: Call): number {
    return call.options?.timeoutMs ?? this.#options.timeoutMs
  }

  #dialLater(): void {
    if (this.#ended) return
    this.#redial = setTimeout(() => this.#dial(), backoffMs(this.#attempt++))
  }

  #dial(): void {
    const dialling = new AbortController()
    this.#dialling = dialling
    const { dial, connectTimeoutMs } = this.#options
    const late = setTimeout(
      () => dialling.abort(new Error(`no connection within ${connectTimeoutMs} ms`)),
      connectTimeoutMs,
    )
    dial(dialling.signal)
      .then((transport) => greet(transport, this.#options, dialling.signal))
      .finally(() => clearTimeout(late))
      .then(
        (link) => this.#linked(link),
        (error: unknown) => this.#notLinked(error),
      )
  }

  #linked(link: Link): void {
    this.#dialling = undefined
    link.owner = this
    if (link.ended || this.#ended) {
      link.end()
      return this.#notLinked(new Error("the server closed the connection"))
    }
    this.#link = link
    this.#attempt = 0
    this.#flush()
  }

  #notLinked(error: unknown): void {
    this.#dialling = undefined
    this.#lastError = error
    if (error instanceof Refused) {
      this.#queue.filter((call) => {
        this.#dequeued(call)
        this.#reject(call, error)
        return false
      })
    }
    this.#dialLater()
  }

  #endIfDone(): void {
    if (this.#open > 0 || this.#closing === undefined) return
    const done = this.#closing
    this.#closing = undefined
    this.#ended = true
    this.#deadlines.stop()
    clearTimeout(this.#redial)
    clearTimeout(this.#unpark)
    this.#dialling?.abort(new Error("closed"))
    this.#link?.end()
    for (const link of this.#retiring) link.end()
    done()
  }
}

/** After what has arrived meanwhile was read: this process itself may have been slow. */
function dropIfInside(link: Link, first: Call): void {
  if (link.inFlight.head === first && link.isInsideReply) link.end(new Error("a reply did not end within its deadline"))
}

function bytesOf(command: Command): number {
  let bytes = 0
  for (const arg of command) bytes += arg.length
  return bytes
}
