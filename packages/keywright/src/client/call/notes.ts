/* What a call may be given besides its arguments, and what the driver makes of it. */

import type { CallOptions, ReadFrom } from "../../driver/driver.ts"
import { READING, READING_BYTES } from "../../driver/safe.ts"
import type { Undecodable } from "../../errors/outcome.ts"
import type { Duration } from "../../schema/duration.ts"
import type { TtlOption } from "./ready-key.ts"

/**
 * What every call takes as its last argument: a signal, and its own deadline.
 * @example
 * const page = await db.page({ hash: "1" }).get({ timeoutMs: 200, signal: AbortSignal.timeout(500) })
 */
export interface CallNotes {
  readonly signal?: AbortSignal
  /** The deadline of this call in milliseconds. */
  readonly timeoutMs?: number
  /**
   * Who may answer a call that only reads: a replica may be behind. Default: "as-opened", as the connection was opened. A
   * transaction, a step and whatever writes ask the primary.
   */
  readonly read?: ReadFrom
}

/**
 * For reads of many elements: an element that its codec cannot decode is reported and left out. Without it, the whole
 * call fails.
 * @example
 * const cart = await db.cart({ token: "EB93" }).all({ onUndecodable: (error) => console.error(error.message) })
 */
export interface ManyNotes extends CallNotes {
  readonly onUndecodable?: (error: Undecodable) => void
}

/** For calls that are carried out once, however often they are sent. */
export interface OperationNotes {
  /**
   * Repeated with the same id, the call changes nothing more and is answered as the first one was. One id for one thing
   * to be done: calls are distinguished by what they do and to which key, field or member, not by what they write;
   * transactions by their code alone, not by what that code was given.
   */
  readonly operationId?: string | undefined
  /** How long the id is remembered, up to 30 days. Default: the option given to `connect`, or a minute. */
  readonly rememberFor?: Duration | undefined
}

/**
 * For calls whose effect adds up: sent again with the same id, they are carried out once.
 * @example
 * await db.sold({ item: "item1" }).increment(1, { operationId: "order-17" })
 */
export interface OnceNotes extends CallNotes, OperationNotes {}

/**
 * For calls that write: where the schema leaves the choice, how long the key lives.
 * @example
 * const link = string("link:{slug}", text, { ttl: upTo("365d") })
 * const db = await connect(keyspace({ link }))
 * await db.link({ slug: "a" }).set("https://example.com", { ttl: "7d" })
 */
export interface WriteNotes extends CallNotes, TtlOption {}

/** The options of a read. */
export function asking(notes: CallNotes | undefined, bytes = false): CallOptions {
  const signal = notes?.signal
  const timeoutMs = notes?.timeoutMs
  const read = notes?.read ?? "as-opened"
  if (signal === undefined && timeoutMs === undefined && read === "as-opened") return bytes ? READING_BYTES : READING
  return {
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    safe: true,
    bytes,
    read,
  }
}

/** The options of a write: notes that came from outside, as JSON, cannot say that it may be sent twice. */
export const changing = <N extends CallOptions>(notes: N | undefined): N | undefined =>
  notes?.safe === undefined ? notes : { ...notes, safe: false }

/** The options of a write whose reply holds values. */
export const giving = <N extends CallNotes>(notes: N | undefined, bytes: boolean): (CallOptions & N) | undefined =>
  bytes ? ({ ...notes, safe: false, bytes } as CallOptions & N) : changing(notes)
