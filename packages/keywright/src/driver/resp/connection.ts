/* One logical connection: a queue of calls, and a link to write them to.
 *
 * The fate of a call is decided here, and only here:
 *  - Calls wait in the queue while there is no link, or while it takes no more
 *    bytes. All calls of a tick go out in one write, unless they are many.
 *  - A call that never left the queue fails as NotApplied. One that was written and not
 *    answered fails as OutcomeUnknown, unless it is marked safe: then it goes to the head
 *    of the queue and out on the next link. From then on a refusal no longer proves that
 *    nothing was applied (see after-loss.ts).
 *  - The server's "not now" (see server-errors.ts) parks a call for some
 *    milliseconds; this try was not applied.
 *  - When a deadline passes on a link that was silent since that call was written,
 *    the link is retired: new calls go to a new one, and the calls in flight keep
 *    their chance of an answer until their own deadlines. So is a link on which several
 *    calls in a row were late, when nobody waits for it, and one whose answers are so late
 *    that calls would pile up on it.
 *  - When the deadline of the first call passes in the middle of its reply, the link
 *    is ended: that reply may have no end, and takes memory as long as it lasts. */

import { optionsRefusal } from "../call-options.ts"
import {
  connectionLost,
  replyTooLarge,
  driverClosed,
  queueFull,
  refusedBy,
  timedOutInFlight,
  timedOutInQueue,
} from "../../errors/driver.ts"
import { KeywrightError, SchemaError } from "../../errors/error.ts"
import { Refused } from "../../errors/outcome.ts"
import type { CallOptions, Command, Reply, ReplyReader, Script, Wire } from "../driver.ts"
import { NotResp, ReplyTooLarge } from "../resp-reader.ts"
import { isNoScript, passesByItself } from "../server-errors.ts"
import { Call, type CallHolder, type CallKind, CallList, THIS_NODE } from "./call.ts"
import { Deadlines } from "./deadlines.ts"
import { Dialler, type DiallerOptions, type LinkUser, Silence } from "./dialler.ts"
import type { Greeted, Link, LinkOwner } from "./link.ts"
import { fitting, fittingOne, fittingScript } from "../fitting.ts"
import { outcomeOfMulti } from "./multi-outcome.ts"
import type { Overseer } from "./overseer.ts"

export interface ConnectionOptions extends DiallerOptions {
  readonly timeoutMs: number
  readonly queueCalls: number
  readonly queueBytes: number
  readonly overseer?: Overseer | undefined
  /** Before the first link, and each later one, is used: an error means that it is not to be used. */
  readonly onGreeted?: ((greeted: Greeted) => Error | undefined) | undefined
  readonly onNotLinked?: ((error: unknown) => void) | undefined
}

const ASKING: Command = ["ASKING"]
const PARKED_MS = 40
const EARLY_BYTES = 32_768
/** What a call counts for besides its value: 128 small ones go out together. All 500 of a tick at once took a third longer. */
const CALL_BYTES = 240
/**
 * Scripts go out before the tick ends when this many wait, and they are this share of all calls that are open: the
 * server works on them while the next ones are made. All 32 of a tick at once left each side waiting for the other,
 * and took a tenth longer.
 */
const EARLY_SCRIPTS = 8
const EARLY_SHARE = 1 / 4
/** After this many missed deadlines in a row, the replies may be shifted by one, permanently. */
const LATE_IN_A_ROW = 3
/** How long after its deadline an answer may still come before the link is retired: until then its call is kept. */
const MOST_LATE_MS = 1000
/** How often a link is checked whose first call is past its deadline. */
const LOOKED_AT_MS = 500

export class Connection implements LinkOwner, LinkUser, CallHolder {
  readonly label: string
  readonly #overseer: Overseer | undefined
  readonly #options: ConnectionOptions
  readonly #queue = new CallList()
  readonly #parked = new CallList()
  readonly #retiring = new Set<Link>()
  readonly #dialler: Dialler
  readonly #deadlines = new Deadlines((now) => this.#sweep(now))
  #link: Link | undefined
  #unpark: NodeJS.Timeout | undefined
  #lastError: unknown
  #scheduled = false
  /** The last words of the calls of this tick, added up: where values are. */
  #waitingBytes = 0
  /** Scripts among the calls of this tick. */
  #waitingScripts = 0
  #now = 0
  /** Calls that are not settled. */
  #open = 0
  /** How often deadlines have passed since the last answer in time. */
  #late = 0
  #queued = 0
  #queuedBytes = 0
  #closing: (() => void) | undefined
  #closed: Promise<void> | undefined

  constructor(options: ConnectionOptions) {
    this.label = options.label
    this.#options = options
    this.#overseer = options.overseer
    this.#dialler = new Dialler(options, this)
    this.#dialler.dial()
  }

  /** Whether there is a link to write to. */
  get isLinked(): boolean {
    return this.#link !== undefined
  }

  /** The time, as of this tick. */
  get now(): number {
    if (!this.#scheduled) this.#schedule()
    return this.#now
  }

  call(
    kind: CallKind,
    command: Command,
    commands: readonly Command[] | undefined,
    script: Script | undefined,
    options: CallOptions | undefined,
    reader?: ReplyReader<unknown>,
    slot = THIS_NODE,
  ): Promise<Reply> {
    if (!this.#scheduled) this.#schedule()
    const deadline = Math.ceil(this.#now + (options?.timeoutMs ?? this.#options.timeoutMs))
    const promise = new Promise<Reply>(keepSettlers)
    const call = new Call(kind, command, commands, script, options, deadline, settlers.resolve, settlers.reject)
    call.reader = reader
    call.slot = slot
    this.take(call)
    return promise
  }

  /** Takes a call: a new one, or one that another connection has let go. */
  take(call: Call): void {
    const { command, options } = call
    if (this.#closed !== undefined) return call.refuse(driverClosed(call.name, this.label), this.label)
    if (options?.signal !== undefined && !call.listen(options.signal)) return
    const refusal = options?.timeoutMs === undefined ? undefined : optionsRefusal(options)
    if (refusal !== undefined) return call.fail(refusal)
    call.holder = this
    if ((this.#link === undefined || !this.#link.room) && !this.#admit(call)) return
    if (!this.#scheduled) this.#schedule()
    this.#open++
    this.#queued++
    this.#queue.push(call)
    this.#deadlines.add(call.deadline)
    // Large values, and many calls, go out before the tick ends: the server works on them while the next ones are made.
    this.#waitingBytes += CALL_BYTES + (command[command.length - 1] as Wire).length
    if (call.script !== undefined) this.#waitingScripts++
    if (this.#waitingBytes >= EARLY_BYTES || this.#hasManyScripts()) this.#flush()
  }

  #hasManyScripts(): boolean {
    return this.#waitingScripts >= EARLY_SCRIPTS && this.#waitingScripts >= this.#open * EARLY_SHARE
  }

  /** Releases all calls that are not on a link, in order. */
  takeQueued(): Call[] {
    const calls: Call[] = []
    for (const list of [this.#queue, this.#parked]) {
      list.filter((call) => {
        this.#dequeued(call)
        if (!call.settled) {
          this.#open--
          calls.push(call)
        }
        return false
      })
    }
    if (this.#closing !== undefined) this.#endIfDone()
    return calls
  }

  giveUp(call: Call, error: Error): void {
    this.#reject(call, error)
  }

  /**
   * For the wrong server: new calls go to a new link; those in flight keep their chance of an answer on the old one.
   */
  leave(reason: Error): void {
    if (this.#link !== undefined) this.#retire(this.#link, reason, () => this.#dialler.left())
  }

  /** Ends the link, or the attempt to make one: what it would still answer does not count. Calls go to a new one. */
  drop(reason: Error): void {
    if (this.#link === undefined) this.#dialler.giveUp(reason)
    else this.#link.end(reason)
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
    const answer = fittingAnswer(call, reply)
    if (call.kind === "batch") this.#answerBatch(call, answer as Reply[])
    else this.#answerOne(call, answer)
    // It is probably the answer to another call: those behind it would be taken for one another, too.
    if (isUnexpected(answer)) throw new NotResp("a reply of another kind than its command has")
  }

  onRoom(link: Link): void {
    if (link === this.#link) this.#flush()
  }

  onEnd(link: Link, reason: Error | undefined): void {
    this.#lastError = reason ?? this.#lastError ?? new Error("the server closed the connection")
    this.#retiring.delete(link)
    const tooLarge = reason?.cause instanceof ReplyTooLarge ? reason.cause : undefined
    const broken = tooLarge && link.inFlight.head
    link.inFlight.filter((call) => {
      if (call.settled) return false
      // Another attempt would get the same reply.
      if (call === broken) {
        const fix = tooLarge!.most === this.#options.replyBytes ? "raise" : "doubt"
        this.#reject(call, replyTooLarge(call.name, this.label, tooLarge!, fix))
        return false
      }
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
    this.#dialler.lost(link, reason)
    this.#overseer?.unlinked(this.#lastError)
  }

  #answerOne(call: Call, reply: Reply): void {
    if (!(typeof reply === "object" && reply instanceof KeywrightError)) return this.#resolve(call, reply)
    // For a MULTI that was discarded, the reason for discarding it decides.
    const refusal = reply.code === "SERVER.EXECABORT" ? ((reply.cause as KeywrightError | undefined) ?? reply) : reply
    if (call.script !== undefined && isNoScript(reply) && !call.inFull) {
      call.inFull = true
      this.#again(call, this.#queue)
    } else if (this.#overseer !== undefined && this.#overseen(call, reply)) {
      // It is on its way to another server, or waits for one.
    } else if (passesByItself(refusal)) this.#park(call, refusal)
    else this.#reject(call, reply)
  }

  /** Whether the overseer takes it. */
  #overseen(call: Call, error: KeywrightError): boolean {
    call.sent = false
    if (!this.#overseer!.refused(call, error, this)) return false
    this.#open--
    if (this.#closing !== undefined) this.#endIfDone()
    return true
  }

  #answerBatch(call: Call, replies: readonly Reply[]): void {
    // In a cluster, each command of a batch is refused and retried separately.
    if (this.#overseer?.takesBatches === true) return this.#resolve(call, replies)
    if (!(replies[0] instanceof KeywrightError)) return this.#resolve(call, replies)
    const errors = replies.filter((reply) => reply instanceof KeywrightError)
    const isWhole = errors.length === replies.length
    if (isWhole && errors.every(passesByItself)) this.#park(call, errors[0]!)
    else if (isWhole && this.#overseer !== undefined && this.#overseen(call, errors[0]!)) return
    else this.#resolve(call, replies)
  }

  #park(call: Call, error: KeywrightError): void {
    call.refused()
    if (call.isTooLate) return this.#reject(call, error)
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
    this.#waitingScripts = 0
    const link = this.#link
    if (link === undefined) return
    const now = Math.floor(performance.now())
    const attemptBy = this.#overseer === undefined ? 0 : this.#attemptBy(this.#overseer)
    while (link.room && !link.ended && this.#queue.head !== undefined) {
      let full = false
      while (!full && this.#queue.head !== undefined) {
        const call = this.#queue.shift() as Call
        this.#dequeued(call)
        if (call.settled) continue
        call.sentAt = now
        call.attemptBy = attemptBy
        if (call.asking) link.add(askingCall(attemptBy))
        full = link.add(call)
      }
      link.flush()
    }
  }

  /** By when what is sent now has to be answered. */
  #attemptBy({ silenceMs }: Overseer): number {
    if (this.#queue.head === undefined) return Infinity
    const attemptBy = Math.ceil(performance.now() + silenceMs)
    this.#deadlines.add(attemptBy)
    return attemptBy
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
      call.bytes = 0
      call.refuse(queueFull(call.name, this.label, this.#queued, this.#queuedBytes), this.label)
      return false
    }
    this.#queuedBytes = bytes
    return true
  }

  #resolve(call: Call, reply: Reply): void {
    call.answer(reply, this.label)
    this.#late = 0
    this.#open--
    if (this.#closing !== undefined) this.#endIfDone()
  }

  #reject(call: Call, error: Error): void {
    if (call.settled) return
    this.#overseer?.failed?.(call, error)
    call.refuse(error, this.label)
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
      let [silent, late, behind] = [false, false, false]
      for (let call = link.inFlight.head; call !== undefined; call = call.next) {
        if (!due(call)) continue
        silent ||= call.mark === link.received
        late = true
        this.#reject(call, timedOutInFlight(call.name, this.label, this.#timeoutOf(call)))
      }
      const first = link.inFlight.head
      if (first !== undefined && first.settled && first.deadline <= now) {
        next = Math.min(next, now + LOOKED_AT_MS)
        behind = now - first.deadline > MOST_LATE_MS
        if (link.isInsideReply) setImmediate(() => dropIfInside(link, first))
      }
      if (link === this.#link) {
        if (late) this.#late++
        behind ||= late && this.#late >= LATE_IN_A_ROW && link.idle
        if (silent || behind) this.#retire(link, new Silence("the server does not answer"))
      }
      if (this.#overseer !== undefined) next = Math.min(next, this.#endIfSilent(link, this.#overseer.silenceMs, now))
    }
    this.#dismissIdle()
    return next
  }

  /** Ends a link that owes answers and has been silent for too long; or when to look again. */
  #endIfSilent(link: Link, silenceMs: number, now: number): number {
    const due = silentAt(link, silenceMs)
    if (due > now) return due
    // After what has arrived meanwhile was read: this process itself may have been slow.
    setImmediate(() => {
      const later = silentAt(link, silenceMs)
      if (later > now) this.#deadlines.add(later)
      else link.end(new Silence(`the server was silent for ${Math.round(silenceMs)} ms`))
    })
    return Infinity
  }

  #retire(link: Link, reason: Error, dial = () => this.#dialler.dial()): void {
    this.#link = undefined
    this.#late = 0
    this.#retiring.add(link)
    this.#lastError = reason
    dial()
    this.#overseer?.unlinked(reason)
    this.#dismissIdle()
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

  refusalOf(link: Link): Error | undefined {
    link.owner = this
    return (this.#overseer?.greeted ?? this.#options.onGreeted)?.(link.greeted)
  }

  onLink(link: Link): void {
    link.isTimed = this.#overseer !== undefined
    this.#link = link
    this.#flush()
  }

  onNoLink(error: unknown): void {
    this.#lastError = error
    if (error instanceof Refused || error instanceof SchemaError) {
      const refusal =
        this.#overseer === undefined || error instanceof SchemaError ? error : refusedBy(this.label, error)
      this.#queue.filter((call) => {
        this.#dequeued(call)
        this.#reject(call, refusal)
        return false
      })
    }
    this.#overseer?.unlinked(error)
    this.#options.onNotLinked?.(error)
  }

  #endIfDone(): void {
    if (this.#open > 0 || this.#closing === undefined) return
    const done = this.#closing
    this.#closing = undefined
    this.#deadlines.stop()
    this.#dialler.end()
    clearTimeout(this.#unpark)
    this.#link?.end()
    for (const link of this.#retiring) link.end()
    done()
  }
}

/* One executor for all promises, which leaves what settles them here: a closure per call, and deadlines that are not whole numbers, cost 9 % of a GET. */
const settlers = { resolve: ignore as (reply: never) => void, reject: ignore as (error: unknown) => void }
function keepSettlers(resolve: (reply: Reply) => void, reject: (error: unknown) => void): void {
  settlers.resolve = resolve
  settlers.reject = reject
}

/** Sent before a call; nobody awaits its reply. */
function askingCall(attemptBy: number): Call {
  const call = new Call("one", ASKING, undefined, undefined, undefined, Infinity, ignore, ignore)
  call.attemptBy = attemptBy
  call.settled = true
  return call
}

function ignore(): void {}

/** When the silence of a server is too long, if it stays so; never, when it owes nothing. */
function silentAt({ inFlight, heardAt }: Link, silenceMs: number): number {
  return inFlight.head === undefined ? Infinity : Math.max(inFlight.head.attemptBy, heardAt + silenceMs)
}

/** After what has arrived meanwhile was read: this process itself may have been slow. */
function dropIfInside(link: Link, first: Call): void {
  if (link.inFlight.head === first && link.isInsideReply) link.end(new Error("a reply did not end within its deadline"))
}

/** The reply, or an error in place of what its command never returns. */
function fittingAnswer({ kind, command, commands, script }: Call, reply: Reply): Reply {
  if (kind === "batch") return fitting(commands!, reply as Reply[])
  if (kind === "multi") return outcomeOfMulti(commands!, reply as Reply[])
  return script === undefined ? fittingOne(command, reply) : fittingScript(script, command, reply)
}

const isUnexpected = (answer: Reply): boolean => {
  if (Array.isArray(answer)) return answer.some(isUnexpected)
  return answer instanceof KeywrightError && answer.code === "DRIVER.REPLY" && answer.details?.["isTooLarge"] !== true
}

function bytesOf(command: Command): number {
  let bytes = 0
  for (const arg of command) bytes += arg.length
  return bytes
}
