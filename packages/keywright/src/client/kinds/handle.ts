/* What all handles have in common: a key, its lane, and the commands that any key
 * takes. A handle is cheap: one small object per call, nothing is looked up.
 *
 * A method never throws: what a codec refuses rejects the promise, and nothing is
 * sent. So commands that hold values are handed over as functions that make them,
 * which run inside the one async function that waits for the reply. */

import type { CallOptions, Command, Reply, ReplyReader } from "../../driver/driver.ts"
import { READING } from "../../driver/safe.ts"
import { argumentRefused, fieldMissing, typesRefused, undecodable } from "../../errors/client.ts"
import { isKeywrightError } from "../../errors/error.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { toMs, type Duration } from "../../schema/duration.ts"
import type { RedisType } from "../../schema/define.ts"
import type { Key } from "../../schema/key.ts"
import { afterWrite, redactKey, slides, type ReadyKey, type TtlOption } from "../call/ready-key.ts"
import { explainedAs } from "../call/explained.ts"
import { familyWrite, once } from "./key-write.ts"
import type { Lane } from "../call/lane.ts"
import { observed } from "../observe/observe.ts"
import { asking, changing, type CallNotes, type OnceNotes, type WriteNotes } from "../call/notes.ts"
import { isOne, listOf, nothing, numberOrNone, textOf } from "../call/reply.ts"
import { type ScanCommand, scanElements, type ScanNotes } from "./scan-elements.ts"

/** A command, or how to make one: what a codec refuses then rejects the call. */
type Making = Command | (() => Command)
/** Commands that belong to a write, such as a trim. */
type After = readonly Command[] | (() => readonly Command[])
type Decode<H, T> = (this: H, reply: Reply) => T

/** The hook that console.log uses. Looked up by name, because its module exists only in Node. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom")

export class Handle {
  // `declare`: a field that is defined before it is assigned costs twice, and there is one handle per call.
  declare readonly key: string
  declare protected readonly lane: Lane
  declare protected readonly ready: ReadyKey

  constructor(lane: Lane, ready: ReadyKey, key: string) {
    this.lane = lane
    this.ready = ready
    this.key = key
  }

  /** EXISTS, O(1). */
  exists(notes?: CallNotes): Promise<boolean> {
    return this.read(["EXISTS", this.key], isOne, asking(notes))
  }

  /** UNLINK, O(1) for the caller: true when there was something to delete. */
  delete(notes?: CallNotes): Promise<boolean> {
    return this.run(["UNLINK", this.key], isOne, changing(notes))
  }

  /** PTTL, O(1): milliseconds left, "never", or "missing". */
  ttl(notes?: CallNotes): Promise<number | "never" | "missing"> {
    return this.run(["PTTL", this.key], remaining, asking(notes))
  }

  /** PEXPIRE, O(1): a deadline other than the schema's, for this key only. False when there is no such key. */
  expire(after: Duration, notes?: CallNotes): Promise<boolean> {
    return this.run(() => ["PEXPIRE", this.key, String(toMs(after))], isOne, changing(notes))
  }

  /** PERSIST, O(1): removes the deadline. False when there was none. */
  persist(notes?: CallNotes): Promise<boolean> {
    return this.run(["PERSIST", this.key], isOne, changing(notes))
  }

  /** TYPE, O(1): the type of the key on the server. */
  type(notes?: CallNotes): Promise<RedisType | "none"> {
    return this.run(["TYPE", this.key], (reply) => textOf(reply) as RedisType | "none", asking(notes))
  }

  /** MEMORY USAGE, O(elements sampled): bytes, or undefined when there is no such key. */
  memory(notes?: CallNotes): Promise<number | undefined> {
    return this.run(["MEMORY", "USAGE", this.key], numberOrNone, asking(notes))
  }

  /** The key as it may be printed: secret segments hidden. */
  toString(): string {
    return redactKey(this.ready, this.key)
  }

  /** What a log shows of a handle: never the lane, and no secret segment. */
  toJSON(): { readonly pattern: string; readonly key: string } {
    return { pattern: this.ready.declared.pattern, key: this.toString() }
  }

  [INSPECT](): string {
    return `${this.constructor.name} ${this.toString()}`
  }

  // ── for the kinds ──────────────────────────────────────────────────────────

  /** One command that does not touch the deadline. */
  protected run<T>(make: Making, decode: Decode<this, T>, options?: CallOptions): Promise<T> {
    const { direct } = this.lane
    if (direct === undefined) {
      const send = ([command]: readonly Command[]) => this.lane.send(command!, options)
      return this.adopted(this.carried(() => [made(make)], decode, this.isCollected(decode, options), send))
    }
    try {
      const command = typeof make === "function" ? make() : make
      const done = observed(this.ready.declared.pattern, command)
      return direct.ask(command, new HandleReply(this, decode, done), options)
    } catch (error) {
      return Promise.reject(this["~explained"](error))
    }
  }

  /** A call that fails before anything is sent. */
  protected refused(error: unknown): Promise<never> {
    return this.run(
      () => {
        throw error
      },
      nothing as () => never,
    )
  }

  /** A call with all entries of what can be gone through; what cannot be is refused. */
  protected listing<E, T>(entries: Iterable<E>, call: (given: readonly E[]) => Promise<T>): Promise<T> {
    let given: readonly E[]
    try {
      if (typeof entries === "string") throw argumentRefused("entries", "an array", entries)
      given = [...entries]
    } catch (error) {
      return this.refused(error)
    }
    return call(given)
  }

  /** A read: where the TTL slides, it moves the deadline in the same step. */
  protected read<T>(make: Making, decode: Decode<this, T>, options: CallOptions = READING): Promise<T> {
    const ms = slides(this.ready.declared)
    if (ms === undefined) return this.run(make, decode, options)
    return this.together(() => [made(make), ["PEXPIRE", this.key, String(ms)]], decode, options)
  }

  /** A write, with what it does to the deadline; `after` are commands that belong to it, such as a trim. */
  protected write<T>(
    make: Making,
    decode: Decode<this, T>,
    notes?: CallOptions & WriteNotes,
    after?: After,
  ): Promise<T> {
    if (this.ready.plain && after === undefined && notes?.ttl === undefined)
      return this.run(make, decode, changing(notes))
    return this.together(() => this.withDeadline(make, notes, after), decode, changing(notes))
  }

  /** A write whose effect adds up (INCR, LPUSH, SPOP): with an operation id it is carried out once, however often it is sent. */
  protected writeOnce<T>(
    make: Making,
    decode: Decode<this, T>,
    notes?: CallOptions & OnceNotes & TtlOption,
    after?: After,
  ): Promise<T> {
    if (notes?.operationId === undefined) return this.write(make, decode, notes, after)
    return this.together(() => this.withDeadline(make, notes, after), decode, notes, true)
  }

  /** The commands that set the deadline after a write, for keys without a family and without a choice of TTLs. */
  protected deadlines(): Command[] {
    const { declared, family } = this.ready
    const deadline = family || declared.ttl?.on === "choice" ? undefined : afterWrite(declared, this.key)
    return deadline === undefined ? [] : [deadline]
  }

  /** Its elements, page by page, each once. */
  protected scanned<T>(
    command: ScanCommand,
    bytes: boolean,
    decode: (element: readonly Reply[]) => T,
    notes?: ScanNotes,
  ): AsyncIterable<T> {
    const read = (page: Command, options: CallOptions) => this.read(page, listOf, options)
    return scanElements({ driver: this.lane.driver, key: this.key, command, read, bytes, decode }, notes)
  }

  /** Several commands on this key as one; the result is that of the first. */
  protected together<T>(
    make: () => readonly Command[],
    decode: Decode<this, T>,
    options?: CallOptions & OnceNotes,
    isOnce = false,
  ): Promise<T> {
    const { lane, ready, key } = this
    const isCollected = !isOnce && !ready.family && this.isCollected(decode, options)
    const send = (commands: readonly Command[]): Promise<Reply> => {
      if (isOnce) return once(lane, ready, key, commands, options)
      if (ready.family && options?.safe !== true) return familyWrite(lane, ready, key, commands, options)
      if (commands.length === 1) return lane.send(commands[0]!, options)
      return lane.atomic(commands, options).then(([first]) => first!)
    }
    return this.adopted(this.carried(make, decode, isCollected, send))
  }

  /** The same call: where calls are recorded, the lane has to know of it. */
  private adopted<T>(call: Promise<T>): Promise<T> {
    this.lane.adopt?.(call)
    return call
  }

  /** Makes commands, has them sent or collected, and decodes the reply of the first. */
  private async carried<T>(
    make: () => readonly Command[],
    decode: Decode<this, T>,
    isCollected: boolean,
    send: (commands: readonly Command[]) => Promise<Reply>,
  ): Promise<T> {
    let done: ReturnType<typeof observed>
    let reply: Reply | undefined
    try {
      const commands = make()
      done = observed(this.ready.declared.pattern, commands[0]!)
      if (isCollected) await this.lane.collect!(commands)
      else reply = await send(commands)
    } catch (error) {
      done?.(error)
      throw this["~explained"](error)
    }
    done?.()
    return isCollected ? (undefined as T) : decode.call(this, reply!)
  }

  /** Inside a transaction: whether nobody needs the answer of a write. */
  private isCollected<T>(decode: Decode<this, T>, options: CallOptions | undefined): boolean {
    const { lane } = this
    if (lane.collect === undefined || options?.safe === true) return false
    return lane.isBlind === true || (decode as unknown) === nothing
  }

  private withDeadline(make: Making, notes: TtlOption | undefined, then: After = []): Command[] {
    const after = typeof then === "function" ? then() : then
    const deadline = this.ready.family ? undefined : afterWrite(this.ready.declared, this.key, notes?.ttl)
    return deadline === undefined ? [made(make), ...after] : [made(make), ...after, deadline]
  }

  /** Decodes one value; an error says which part of which key it was: `"field"`, `"name"`. */
  protected decodePart<R>(codec: AnyCodec, raw: Reply, part: string, name?: string): R {
    try {
      if (typeof raw === "string") return codec.decode(raw) as R
      if (codec.decodeBytes && raw instanceof Uint8Array) return codec.decodeBytes(raw) as R
      return codec.decode(textOf(raw)) as R
    } catch (error) {
      if (!isKeywrightError(error)) throw error
      const whole = name === undefined ? part : `${part} ${name}`
      throw undecodable(this.ready.declared.pattern, this.toString(), whole, codec.name, error)
    }
  }

  /** For get-many.ts. */
  get "~lane"(): Lane {
    return this.lane
  }

  /** For get-many.ts. */
  get "~row"(): Key {
    return this.ready.declared
  }

  /** For record-format.ts. */
  "~field"(codec: AnyCodec, raw: Reply, name: string): unknown {
    try {
      if (typeof raw === "string") return codec.decode(raw)
    } catch (error) {
      if (!isKeywrightError(error)) throw error
    }
    return this.decodePart(codec, raw, "field", name)
  }

  /** For record-format.ts: the error for a required field that is not there. */
  "~lacks"(field: string): Error {
    return fieldMissing(this.ready.declared.pattern, this.toString(), field)
  }

  /** The error of a call on this key, as its caller gets it. */
  "~explained"(error: unknown): unknown {
    return explainedAs(
      error instanceof TypeError ? typesRefused(error) : error,
      this.ready.declared.pattern,
      this.toString(),
    )
  }
}

/** What becomes of a reply. */
class HandleReply<H extends Handle, T> implements ReplyReader<T> {
  declare readonly handle: H
  declare readonly decode: Decode<H, T>
  declare readonly done: ReturnType<typeof observed>

  constructor(handle: H, decode: Decode<H, T>, done: ReturnType<typeof observed>) {
    this.handle = handle
    this.decode = decode
    this.done = done
  }

  answered(reply: Reply): T {
    if (this.done !== undefined) this.done()
    return this.decode.call(this.handle, reply)
  }

  failed(error: unknown): unknown {
    this.done?.(error)
    return this.handle["~explained"](error)
  }
}

const made = (making: Making): Command => (typeof making === "function" ? making() : making)

function remaining(reply: Reply): number | "never" | "missing" {
  return reply === -2 ? "missing" : reply === -1 ? "never" : Number(reply)
}
