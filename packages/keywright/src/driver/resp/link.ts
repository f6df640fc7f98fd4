/* One transport's life: what was written on it, and who waits for which reply.
 *
 * Replies arrive in the order of the commands, so the first call in flight owns the next
 * reply, even if it was settled meanwhile. Anything that breaks this order ends the link;
 * its owner then decides what becomes of the calls in flight. */

import { randomUUID } from "node:crypto"
import { protocolBroken, replyTooLarge } from "../../errors/driver.ts"
import type { KeywrightError } from "../../errors/error.ts"
import type { Command, Reply, Transport } from "../driver.ts"
import { mostBytesOf, mostBytesOfAll } from "../reply-kind.ts"
import { asResp2 } from "../reply-shape.ts"
import {
  NotResp,
  type ReaderLimits,
  type ReplySink,
  type ReplyTooLarge,
  RespReader,
  SHORT_REPLY_BYTES,
} from "../resp-reader.ts"
import { RespWriter } from "../resp-writer.ts"
import { serverError } from "../server-errors.ts"
import { type Call, CallList } from "./call.ts"

const WRITE_BYTES = 262_144
const MULTI: Command = ["MULTI"]
const EXEC: Command = ["EXEC"]
const NOBODYS = "a reply that nobody asked for"
/** Enough for a proxy or a server that announces something of its own. */
const MOST_PUSHES = 1000

export interface LinkOwner {
  readonly label: string
  onAnswer(call: Call, reply: Reply): void
  /** A reply that no call waits for, as a subscription gets them. Without this it ends the link. */
  onStray?(reply: Reply): void
  /** The transport takes bytes again. */
  onRoom(link: Link): void
  /** Called once. */
  onEnd(link: Link, reason: Error | undefined): void
}

/** What a server says in the greeting. */
export interface Greeted {
  readonly clientId?: string
  readonly mode?: string
  readonly role?: "primary" | "replica"
}

export class Link implements ReplySink {
  readonly inFlight = new CallList()
  /** The receiver of replies; changes once, after the greeting. */
  owner: LinkOwner
  /** No other link has this id, in any program. */
  readonly #id = randomUUID()
  readonly #transport: Transport
  readonly #writer = new RespWriter()
  readonly #reader: RespReader
  /** Digests of the scripts that this server was sent. */
  readonly #known = new Set<string>()
  protocol: 2 | 3 = 2
  /** What errors of the server must not repeat. */
  password = ""
  /** What CLIENT LIST shows, if the user may set it. */
  name: string | undefined
  /** Who answered the greeting, as far as the server said. */
  greeted: Greeted = {}
  #pushes = 0
  /** Replies received so far. */
  received = 0
  /** When bytes last arrived; kept where a connection limits the silence of its server. */
  heardAt = 0
  isTimed = false
  ended = false
  /** False while the transport's buffer is full. */
  room = true

  constructor(transport: Transport, owner: LinkOwner, limits: Partial<ReaderLimits> = {}) {
    this.#transport = transport
    this.#reader = new RespReader(this, limits)
    this.owner = owner
    transport.onData = (bytes) => this.#onData(bytes)
    transport.onDrain = () => {
      this.room = true
      if (!this.ended) this.owner.onRoom(this)
    }
    transport.onClose = (reason) => this.end(reason)
  }

  /** Encodes a call. It is on the wire after `flush`, which is due when this returns true. */
  add(call: Call): boolean {
    call.sent = true
    // Options may come from outside, as JSON.
    if (typeof call.options?.onLink === "function")
      call.options.onLink(this.#id, { label: this.owner.label, id: this.greeted.clientId, name: this.name })
    call.mark = this.received
    this.#encode(call)
    this.inFlight.push(call)
    return this.#writer.size >= WRITE_BYTES
  }

  /** Sends a command whose reply nobody awaits. */
  tell(command: Command): void {
    this.#writer.command(command)
    this.flush()
  }

  flush(): void {
    for (const piece of this.#writer.take()) {
      if (this.ended) return
      if (!this.#transport.write(piece)) this.room = false
    }
  }

  end(reason?: Error): void {
    if (this.ended) return
    this.ended = true
    this.#transport.close()
    this.owner.onEnd(this, reason)
  }

  /** Nobody waits for a reply on it. */
  get idle(): boolean {
    for (let call = this.inFlight.head; call !== undefined; call = call.next) if (!call.settled) return false
    return true
  }

  /** It has received the beginning of a reply, and not its end. */
  get isInsideReply(): boolean {
    return this.#reader.isInside
  }

  wantsBytes(): boolean {
    const call = this.inFlight.head
    // Checked before the reply is complete: it may never end.
    if (call === undefined && this.owner.onStray === undefined) throw new NotResp(NOBODYS)
    const options = call?.options
    return options !== undefined && options.bytes === true
  }

  mostBytes(): number {
    const call = this.inFlight.head
    // A push message while nobody waits: no deadline would end it.
    if (call === undefined) return this.owner.onStray === undefined ? SHORT_REPLY_BYTES : Infinity
    const { commands, command, left, script } = call
    if (script !== undefined) return script.mostBytes?.(command) ?? Infinity
    if (commands === undefined) return mostBytesOf(command)
    if (call.kind === "multi") return left === 1 ? mostBytesOfAll(commands) : SHORT_REPLY_BYTES
    return mostBytesOf(commands[commands.length - left] ?? command)
  }

  onReply(reply: Reply): void {
    this.received++
    const call = this.inFlight.head
    if (call === undefined) return this.#stray(reply)
    if (call.commands === undefined) {
      this.inFlight.shift()
      this.owner.onAnswer(call, this.protocol === 3 && typeof reply === "object" ? asResp2(call.command, reply) : reply)
      return
    }
    const replies = (call.replies ??= [])
    // The remaining replies of an abandoned call are dropped.
    if (call.settled) replies.length = 0
    else replies.push(reply)
    if (--call.left > 0) return
    const shaped = this.protocol === 3 ? shapeAll(call.kind, call.commands, replies) : replies
    this.inFlight.shift()
    this.owner.onAnswer(call, shaped)
  }

  onPush(): void {
    // This connection never does anything that makes a server send push messages.
    if (++this.#pushes > MOST_PUSHES) throw new NotResp("push messages that nobody asked for")
  }

  tooLong(tooLarge: ReplyTooLarge): KeywrightError {
    const call = this.inFlight.head
    if (call === undefined) throw tooLarge
    return replyTooLarge(call.name, this.owner.label, tooLarge, "bytes")
  }

  toError(text: string): KeywrightError {
    return serverError(text, this.password)
  }

  #stray(reply: Reply): void {
    if (this.owner.onStray === undefined) throw new NotResp(NOBODYS)
    this.owner.onStray(reply)
  }

  #encode(call: Call): void {
    const { script, commands } = call
    if (script !== undefined) this.#encodeScript(call, script.sha1, script.source)
    else if (commands === undefined) this.#writer.command(call.command)
    else {
      const atomic = call.kind === "multi"
      call.replies = undefined
      call.left = commands.length + (atomic ? 2 : 0)
      if (atomic) this.#writer.command(MULTI)
      for (const command of commands) this.#writer.command(command)
      if (atomic) this.#writer.command(EXEC)
    }
  }

  #encodeScript(call: Call, sha1: string, source: string): void {
    if (this.#known.has(sha1) && !call.inFull) this.#writer.prefixed("EVALSHA", sha1, call.command)
    else {
      this.#known.add(sha1)
      this.#writer.prefixed("EVAL", source, call.command)
    }
  }

  #onData(bytes: Uint8Array): void {
    if (this.ended) return
    if (this.isTimed) this.heardAt = performance.now()
    try {
      this.#reader.push(bytes)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      this.end(error instanceof NotResp ? protocolBroken(this.owner.label, error) : error)
    }
  }
}

function shapeAll(kind: Call["kind"], commands: readonly Command[], replies: readonly Reply[]): readonly Reply[] {
  if (kind === "batch") return replies.map((reply, i) => asResp2(commands[i] as Command, reply))
  const last = replies[replies.length - 1]
  // With any other number of replies it is not an answer to these commands, and is refused as that.
  if (!Array.isArray(last) || last.length !== commands.length) return replies
  const shaped = (last as readonly Reply[]).map((reply, i) => asResp2(commands[i] as Command, reply))
  return [...replies.slice(0, -1), shaped]
}
