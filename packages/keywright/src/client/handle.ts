/* What all handles have in common: a key, its lane, and the commands that any key
 * takes. A handle is cheap: one small object per call, nothing is looked up. */

import type { CallOptions, Command, Reply, Wire } from "../driver/driver.ts"
import { undecodable } from "../errors/client.ts"
import { KeywrightError } from "../errors/error.ts"
import type { AnyCodec } from "../schema/codec/codec.ts"
import { toMs, type Duration } from "../schema/duration.ts"
import type { RedisType } from "../schema/define.ts"
import { afterWrite, redactKey, slides, type Declared } from "./declared.ts"
import { familyWrite } from "./family-write.ts"
import type { Lane } from "./lane.ts"
import { observed } from "./observe.ts"
import { once } from "./once.ts"

/** What every call takes. */
export interface CallNotes {
  readonly signal?: AbortSignal
  /** The deadline of this call in milliseconds. */
  readonly timeoutMs?: number
}

/** For calls whose effect adds up: sent again with the same id, they are carried out once. */
export interface OnceNotes extends CallNotes {
  readonly operationId?: string
}

export const SAFE: CallOptions = Object.freeze({ safe: true })
export const BYTES: CallOptions = Object.freeze({ safe: true, bytes: true })

export class Handle {
  readonly key: string
  protected readonly lane: Lane
  protected readonly declared: Declared

  constructor(lane: Lane, declared: Declared, key: string) {
    this.lane = lane
    this.declared = declared
    this.key = key
  }

  /** EXISTS, O(1). */
  exists(): Promise<boolean> {
    return this.read(["EXISTS", this.key], isOne)
  }

  /** UNLINK, O(1) for the caller: true when there was something to delete. */
  delete(notes?: CallNotes): Promise<boolean> {
    return this.run(["UNLINK", this.key], isOne, notes)
  }

  /** PTTL, O(1): milliseconds left, "never", or "missing". */
  ttl(): Promise<number | "never" | "missing"> {
    return this.run(["PTTL", this.key], remaining, SAFE)
  }

  /** PEXPIRE, O(1): a deadline other than the schema's, for this key only. False when there is no such key. */
  expire(after: Duration, notes?: CallNotes): Promise<boolean> {
    return this.run(["PEXPIRE", this.key, String(toMs(after))], isOne, notes)
  }

  /** PERSIST, O(1): no deadline any more. */
  persist(notes?: CallNotes): Promise<boolean> {
    return this.run(["PERSIST", this.key], isOne, notes)
  }

  /** TYPE, O(1): what is really there. */
  type(): Promise<RedisType | "none"> {
    return this.run(["TYPE", this.key], (reply) => reply as RedisType | "none", SAFE)
  }

  /** MEMORY USAGE, O(elements sampled): bytes, or undefined when there is no such key. */
  memory(): Promise<number | undefined> {
    return this.run(["MEMORY", "USAGE", this.key], (reply) => (reply === null ? undefined : (reply as number)), SAFE)
  }

  /** The key as it may be printed: secret segments hidden. */
  toString(): string {
    return redactKey(this.declared, this.key)
  }

  // ── for the kinds ──────────────────────────────────────────────────────────

  /** One command that does not touch the deadline. */
  protected async run<T>(
    command: Command,
    decode: (this: this, reply: Reply) => T,
    options?: CallOptions | CallNotes,
  ): Promise<T> {
    const done = observed(this.declared.row.pattern, command)
    let reply: Reply
    try {
      reply = await this.lane.send(command, options)
    } catch (error) {
      done?.(error)
      throw this.explained(error)
    }
    done?.()
    return decode.call(this, reply)
  }

  /** A read: where the TTL slides, it moves the deadline in the same step. */
  protected read<T>(
    command: Command,
    decode: (this: this, reply: Reply) => T,
    options: CallOptions = SAFE,
  ): Promise<T> {
    const ms = slides(this.declared.row)
    return ms === undefined
      ? this.run(command, decode, options)
      : this.together(
          [command, ["PEXPIRE", this.key, String(ms)]],
          (replies) => decode.call(this, replies[0]!),
          options,
        )
  }

  /** A write, with what it does to the deadline; `after` are commands that belong to it, such as a trim. */
  protected write<T>(
    command: Command,
    decode: (this: this, reply: Reply) => T,
    {
      ttl,
      notes,
      after = [],
    }: { ttl?: Duration | "never" | undefined; notes?: OnceNotes | undefined; after?: readonly Command[] } = {},
  ): Promise<T> {
    if (this.declared.family) return this.toFamily([command, ...after], decode, notes)
    const deadline = afterWrite(this.declared.row, this.key, ttl)
    if (after.length === 0 && deadline === undefined) return this.run(command, decode, notes)
    const commands = [command, ...after, ...(deadline ? [deadline] : [])]
    return this.together(commands, (replies) => decode.call(this, replies[0]!), notes)
  }

  /** A write whose effect adds up (INCR, LPUSH, SPOP): with an operation id it is carried out once, however often it is sent. */
  protected writeOnce<T>(
    command: Command,
    decode: (this: this, reply: Reply) => T,
    more: { ttl?: Duration | "never" | undefined; notes?: OnceNotes | undefined; after?: readonly Command[] } = {},
  ): Promise<T> {
    const { notes, after = [], ttl } = more
    if (notes?.operationId === undefined && !this.lane.resends) return this.write(command, decode, more)
    const deadline = this.declared.family ? undefined : afterWrite(this.declared.row, this.key, ttl)
    const commands = [command, ...after, ...(deadline ? [deadline] : [])]
    return this.scripted(() => once(this.lane, this.key, commands, notes), decode, command)
  }

  private toFamily<T>(
    commands: readonly Command[],
    decode: (this: this, reply: Reply) => T,
    notes?: CallNotes,
  ): Promise<T> {
    return this.scripted(() => familyWrite(this.lane, this.declared, this.key, commands, notes), decode, commands[0]!)
  }

  private async scripted<T>(
    send: () => Promise<Reply>,
    decode: (this: this, reply: Reply) => T,
    command: Command,
  ): Promise<T> {
    const done = observed(this.declared.row.pattern, command)
    try {
      const reply = await send()
      done?.()
      return decode.call(this, reply)
    } catch (error) {
      done?.(error)
      throw this.explained(error)
    }
  }

  /** Several commands as one. */
  protected async together<T>(
    commands: readonly Command[],
    decode: (replies: Reply[]) => T,
    options?: CallOptions | CallNotes,
  ): Promise<T> {
    const done = observed(this.declared.row.pattern, commands[0]!)
    let replies: Reply[]
    try {
      replies = await this.lane.atomic(commands, options)
    } catch (error) {
      done?.(error)
      throw this.explained(error)
    }
    done?.()
    return decode(replies)
  }

  /** Decodes one value; an error says which part of which key it was. */
  protected decodePart<R>(codec: AnyCodec, raw: Reply, part: string): R {
    try {
      return (typeof raw === "object" ? codec.decodeBytes!(raw as Uint8Array) : codec.decode(String(raw))) as R
    } catch (error) {
      if (!(error instanceof KeywrightError)) throw error
      throw undecodable(this.declared.row.pattern, this.toString(), part, codec.name, error)
    }
  }

  private explained(error: unknown): unknown {
    if (error instanceof KeywrightError && error.pattern === undefined) {
      Object.assign(error, { pattern: this.declared.row.pattern, key: this.toString() })
    }
    return error
  }
}

export const isOne = (reply: Reply): boolean => reply === 1
export const asNumber = (reply: Reply): number => Number(reply)
export const nothing = (): void => {}

function remaining(reply: Reply): number | "never" | "missing" {
  return reply === -2 ? "missing" : reply === -1 ? "never" : (reply as number)
}

/** Members and items as arguments. */
export const encodeAll = (codec: AnyCodec, values: readonly unknown[]): Wire[] =>
  values.map((value) => codec.encode(value))
