/* Codecs: how one value becomes the bytes that Redis keeps, and back.
 *
 * A codec is a plain object of two functions and of data that says what they do.
 * `Read` is what your code gets, `Write` what it may hand over; they differ only
 * when a validator transforms (a schema with defaults, say).
 *
 * The law, tested for each: decode(encode(x)) = x, and what cannot be brought back
 * is refused when it is written, not when it is read. */

import type { CodecSpec } from "./codec-spec.ts"

/**
 * How a value becomes text (or bytes) in Redis, and how it is read again. The codecs of this package are enough for most
 * schemas; `ReadOf` and `WriteOf` give the types of one.
 * @example
 * const price: Codec<number> = int({ min: 0 })
 * console.log(price.encode(1990)) // → 1990
 */
export interface Codec<Read, Write = Read, Encoded extends string | Uint8Array = string> {
  /** For people: docs and messages. */
  readonly name: string
  /** For programs: enough to make the codec again, as JSON. */
  readonly spec: CodecSpec
  /** A text that it reads, for docs and for checks; `…` when none is known. For codecs that keep bytes, the text before. */
  readonly example: string
  encode(value: Write): Encoded
  decode(raw: string): Read
  /** Codecs that keep bytes read bytes. */
  readonly decodeBytes?: (raw: Uint8Array) => Read
  /** Codecs of documents: for a document that is already parsed, so that it need not be parsed again. */
  readonly document?: DocumentCodec<Read>
  /** Codecs of documents that are stored in a form of their own: what is stored, before anything checks it. */
  readonly stored?: (raw: Uint8Array) => unknown
  /** As a key's segment: the texts it can make (see mask.ts). Without one, any text. */
  readonly mask?: readonly string[]
  /** As a key's segment: characters that it may contain though segments usually may not. */
  readonly allow?: string
  /** Its text is a number that Redis can count with: a score, a counter. */
  readonly numeric?: true
  /** For numbers with bounds: the codec without them, for the ends of a range and for what the server has counted. */
  readonly unbounded?: NumericCodec<number>
  /** Redacted wherever it is printed. */
  readonly secret?: true
  /** As a hash field: may be absent. */
  readonly optional?: true
  /** The name of the id that it carries: `id("token")`. */
  readonly id?: string
  /** For {shard}: how it follows from another parameter. */
  readonly shard?: ShardRule
}

export interface ShardRule {
  /** The parameter that it follows from. */
  readonly by: string
  /** The codec of that parameter, as text: two groups share shards only if they spell it alike. */
  readonly of: string
  readonly tags: readonly string[]
  /** Parameters that decide, where a key has all of one list. */
  readonly sources: readonly (readonly string[])[]
  /** The tag of the shard of a value. */
  tagOf(value: unknown): string
  /** The same from the texts of a key's parameters; undefined where they do not determine it. */
  tagOfTexts(texts: Readonly<Record<string, string | undefined>>): string | undefined
}

export interface DocumentCodec<Read> {
  /** The document in a stored text, where the text is not plain JSON. */
  readonly parse?: (raw: string) => unknown
  /** Some of its fields are secret: no error may quote the text. */
  readonly hidden?: true
  /** The stored document as it is read. */
  read(document: unknown): Read
  /** A document to be stored: its text, and what reading it will return. */
  accept(document: unknown): { readonly raw: string; readonly read: Read }
}

/**
 * A codec whose text is a number, so that it can be a score or a counter.
 * @example
 * const at: NumericCodec<Date> = unixSeconds
 * const viewed = zset("viewed:{token}", text, { score: at, ttl: "30d" })
 */
export interface NumericCodec<Read, Write = Read> extends Codec<Read, Write> {
  readonly numeric: true
}

/**
 * What `optional` makes: the codec of a hash field that may be absent.
 * @example
 * const nickname: OptionalCodec<string> = optional(text)
 */
export interface OptionalCodec<Read, Write = Read, Encoded extends string | Uint8Array = string> extends Codec<
  Read,
  Write,
  Encoded
> {
  readonly optional: true
}

// `any` in the write position: Codec is contravariant there, and unknown would refuse every codec.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyCodec = Codec<unknown, any, string | Uint8Array>
/** A codec whose result is text: the only kind that can be used in a key. */
// oxlint-disable-next-line typescript/no-explicit-any
export type TextCodec = Codec<unknown, any, string>
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyNumericCodec = NumericCodec<unknown, any>

/**
 * The type that a codec reads.
 * @example
 * type Instant = ReadOf<typeof unixSeconds> // Date
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type ReadOf<C> = C extends Codec<infer Read, any, any> ? Read : never
/**
 * The type that a codec writes; where a schema has defaults, they may be left out.
 * @example
 * const Dish = json(z.object({ name: z.string(), stock: z.int().default(0) }))
 * const pho: WriteOf<typeof Dish> = { name: "Pho" }
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type WriteOf<C> = C extends Codec<any, infer Write, any> ? Write : never

export type CodecFields = Readonly<Record<string, AnyCodec>>

type OptionalNames<F> = { [N in keyof F]: F[N] extends { readonly optional: true } ? N : never }[keyof F]

/** `{ id: Codec<number>, note: OptionalCodec<string> }` → `{ id: number; note?: string }` */
export type ReadFields<F> = { -readonly [N in Exclude<keyof F, OptionalNames<F>>]: ReadOf<F[N]> } & {
  -readonly [N in OptionalNames<F>]?: ReadOf<F[N]>
} extends infer All
  ? { [N in keyof All]: All[N] }
  : never

export type WriteFields<F> = { -readonly [N in Exclude<keyof F, OptionalNames<F>>]: WriteOf<F[N]> } & {
  -readonly [N in OptionalNames<F>]?: WriteOf<F[N]>
} extends infer All
  ? { [N in keyof All]: All[N] }
  : never

/** Freezes a codec; the one way to make one. */
export const codec = <C extends AnyCodec>(parts: C): C => {
  Object.values(parts).forEach(Object.freeze)
  return Object.freeze(parts)
}
