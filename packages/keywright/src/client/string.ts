import type { CallOptions, Reply } from "../driver/driver.ts"
import type { AnyCodec } from "../schema/codec/codec.ts"
import { afterWrite, chooseTtl, slides, type TtlOption } from "./declared.ts"
import { BYTES, Handle, nothing, SAFE, type CallNotes } from "./handle.ts"

/** A string that holds one value. */
export class StringHandle<R, W> extends Handle {
  /** GET, O(1); where the TTL slides, GETEX. Undefined when there is no such key. */
  get(): Promise<R | undefined> {
    const ms = slides(this.declared.row)
    const command = ms === undefined ? ["GET", this.key] : ["GETEX", this.key, "PX", String(ms)]
    return this.run(command, this.decoded, this.options)
  }

  /** SET with the declared TTL, O(1). */
  set(value: W, notes?: CallNotes & TtlOption): Promise<void> {
    return this.setWith(value, [], nothing, notes)
  }

  /** SET NX: true when there was nothing yet. */
  setIfAbsent(value: W, notes?: CallNotes & TtlOption): Promise<boolean> {
    return this.setWith(value, ["NX"], (reply) => reply !== null, notes)
  }

  /** SET XX: true when there was something to replace. */
  setIfPresent(value: W, notes?: CallNotes & TtlOption): Promise<boolean> {
    return this.setWith(value, ["XX"], (reply) => reply !== null, notes)
  }

  /** SET GET, O(1): the value before. */
  getAndSet(value: W, notes?: CallNotes & TtlOption): Promise<R | undefined> {
    return this.setWith(value, ["GET"], this.decoded, { ...notes, ...this.options })
  }

  /** GETDEL, O(1): the value, which is gone then. */
  take(notes?: CallNotes): Promise<R | undefined> {
    return this.writeOnce(["GETDEL", this.key], this.decoded, { notes: { ...notes } })
  }

  /** STRLEN, O(1): bytes. */
  length(): Promise<number> {
    return this.read(["STRLEN", this.key], (reply) => reply as number)
  }

  private setWith<T>(
    value: W,
    flags: string[],
    decode: (this: this, reply: Reply) => T,
    notes: (CallOptions & TtlOption) | undefined,
  ): Promise<T> {
    const { row, family } = this.declared
    const encoded = this.codec.encode(value)
    const rule = row.ttl
    if (family || rule?.on === "creation")
      return this.write(["SET", this.key, encoded, "KEEPTTL", ...flags], decode, { ttl: notes?.ttl, notes })
    const ms = rule?.on === "choice" ? chooseTtl(row, notes?.ttl) : rule && "ms" in rule ? rule.ms : "never"
    if (rule?.on !== "choice" && notes?.ttl !== undefined) afterWrite(row, this.key, notes.ttl)
    return this.run(
      ms === "never" ? ["SET", this.key, encoded, ...flags] : ["SET", this.key, encoded, "PX", String(ms), ...flags],
      decode,
      notes,
    )
  }

  private get codec(): AnyCodec {
    return this.declared.row.shape["value"] as AnyCodec
  }

  private get options(): CallOptions {
    return this.codec.decodeBytes ? BYTES : SAFE
  }

  private decoded(reply: Reply): R | undefined {
    return reply === null ? undefined : this.decodePart<R>(this.codec, reply, "value")
  }
}
