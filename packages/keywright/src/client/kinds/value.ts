/* What strings and counters share: one value under one key. */

import type { CallOptions, Command, Reply } from "../../driver/driver.ts"
import type { AnyCodec } from "../../schema/codec/codec.ts"
import { lifeMs, slides, type TtlOption } from "../call/ready-key.ts"
import type { Readable } from "./get-many.ts"
import { asking, changing, giving, type OnceNotes } from "../call/notes.ts"
import { Handle } from "./handle.ts"

export abstract class ValueHandle<R> extends Handle implements Readable<R> {
  get "~bytes"(): boolean {
    return this.codec.decodeBytes !== undefined
  }

  abstract "~decoded"(reply: Reply): R

  protected getValue<T>(decode: (this: this, reply: Reply) => T, notes?: CallOptions): Promise<T> {
    const ms = slides(this.ready.declared)
    const command = ms === undefined ? ["GET", this.key] : ["GETEX", this.key, "PX", String(ms)]
    return this.run(command, decode, asking(notes, this.codec.decodeBytes !== undefined))
  }

  /** SET, with the deadline in the same command where there is one. */
  protected setValue<T>(
    value: unknown,
    flags: readonly string[],
    decode: (this: this, reply: Reply) => T,
    notes?: CallOptions & OnceNotes & TtlOption,
  ): Promise<T> {
    const { declared, family } = this.ready
    if (family || declared.ttl?.on === "creation" || (declared.ttl?.on === "bound" && notes?.ttl === undefined)) {
      return this.writeOnce(() => ["SET", this.key, this.codec.encode(value), "KEEPTTL", ...flags], decode, notes)
    }
    const make = () => this.setting(value, flags, notes)
    if (notes?.operationId === undefined) return this.run(make, decode, changing(notes))
    return this.together(() => [make()], decode, notes, true)
  }

  /** GETDEL: nothing is left that could have a deadline. */
  protected takeValue<T>(decode: (this: this, reply: Reply) => T, notes?: OnceNotes): Promise<T> {
    const command = ["GETDEL", this.key]
    const options = giving(notes, this.codec.decodeBytes !== undefined)
    if (notes?.operationId === undefined) return this.run(command, decode, changing(options))
    return this.together(() => [command], decode, options, true)
  }

  protected get codec(): AnyCodec {
    return this.ready.declared.shape["value"] as AnyCodec
  }

  private setting(value: unknown, flags: readonly string[], notes?: TtlOption): Command {
    const encoded = this.codec.encode(value)
    const ms = lifeMs(this.ready.declared, notes?.ttl)
    if (ms !== "never") return ["SET", this.key, encoded, "PX", String(ms), ...flags]
    return flags.length === 0 ? ["SET", this.key, encoded] : ["SET", this.key, encoded, ...flags]
  }
}
