/* One call on its way: in the queue, in flight, or settled.
 *
 * A batch and a transaction are one call with several replies, so that nothing
 * comes between their commands. Calls form a linked list; a settled call stays in
 * its list until its turn comes, because its reply may still arrive and must be
 * taken by nobody else. */

import type { CallOptions, Command, Reply, ReplyReader, Script } from "../driver.ts"

export type CallKind = "one" | "batch" | "multi" | "script"

export class Call {
  next: Call | undefined = undefined
  settled = false
  /** Handed to a connection, and not refused since: the server may have carried it out. */
  sent = false
  /** It was sent before and its answer was lost: whatever is answered later, that time may have been carried out. */
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
  onAbort: (() => void) | undefined = undefined
  /** Who makes of the reply what the caller gets. */
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
