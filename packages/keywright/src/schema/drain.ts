/* A drain: what was added up in each shard is moved into one key, each amount once.
 *
 *   drains: { views: drain({ from: "session.views", into: "popular" }) }
 *   await db.$drains.views.run()
 *
 * Steps of a shard add to `from`, which is in their slot. A pass of the drain takes what is
 * there as a batch with a number, puts it into the target unless the target has that number
 * already, and then lets the batch go. Each of the three may be repeated, by anybody, so a
 * crash between any two of them loses nothing and counts nothing twice.
 *
 * Its own keys are part of the keyspace: #out (the batch) and #note (its number, and who has
 * it) beside `from`; and in the slot of the target #drained, the last number of each shard. */

import { drainRefused } from "../errors/define.ts"
import { codec, type AnyCodec, type TextCodec } from "./codec/codec.ts"
import { float, int } from "./codec/number.ts"
import { oneOf } from "./codec/one-of.ts"
import { text } from "./codec/text.ts"
import { optional } from "./codec/wrap.ts"
import type { Draft } from "./draft.ts"
import type { Durability } from "./entity.ts"
import { hashTag } from "./hash-tag.ts"
import { keyNamed, requireName } from "./keys-of.ts"
import { onlyValue } from "./only-value.ts"

/** What a keyspace asks of a drain. Deliberately loose, as with steps. */
export interface Draining<Path> {
  readonly from: Path
  readonly into: Path
  readonly "~keys": (drain: never, name: string, drafts: readonly Draft[]) => Draft[]
}

/**
 * What `drain` makes: for `keyspace(…, { drains })`.
 * @example
 * const targetOf = (of: Drain) => of.into
 */
export interface Drain<From extends string = string, Into extends string = string> extends Draining<From | Into> {
  /** What is added up in each shard. */
  readonly from: From
  /** Where all of it ends up. */
  readonly into: Into
  readonly durability: Durability
  readonly doc?: string
}

export interface DrainOptions<From, Into> {
  /** A sorted set, a map of numbers or a counter in a sharded group, without further parameters. */
  readonly from: From
  /** A key of the same kind, with the same members or fields. */
  readonly into: Into
  /** `replicated(1)`: batches survive the failure of a server. Default: "fast". */
  readonly durability?: Durability
  readonly doc?: string
}

/** The drains that a keyspace with these paths may have. */
export type Drains<Path extends string> = { readonly [name: string]: Draining<Path> }

/**
 * Moves what is added up in the shards of a group into one key, each amount once, whatever crashes in between.
 * @example
 * const views = drain({ from: "session.views", into: "popular" })
 * const shop = keyspace(
 *   { session: sharded(1024, "token", { views: zset("views:", text) }), popular: zset("popular:", text) },
 *   { ttl: "never", drains: { views } },
 * )
 */
export const drain = <const From extends string, const Into extends string>({
  durability = "fast",
  ...rest
}: DrainOptions<From, Into>): Drain<From, Into> => Object.freeze({ ...rest, durability, "~keys": keysOfDrain })

/** The names of a drain's own keys: of the batch and its note in each shard, and of the numbers beside the target. */
export const drainKeyNames = (name: string, { from, into }: Pick<Drain, "from" | "into">) => ({
  out: `${from}#out`,
  note: `${from}#note`,
  drained: `${into}#drained.${name}`,
})

const KINDS = new Set(["zset", "map", "counter"])

function keysOfDrain({ from, into }: Drain, name: string, drafts: readonly Draft[]): Draft[] {
  const what = `the drain ${name}`
  const [source, target] = [keyNamed(drafts, from, what), keyNamed(drafts, into, what)]
  const names = drainKeyNames(name, { from, into })
  const refuse = (why: string) => drainRefused(name, from, into, why)
  requireName("drains.", name)
  if (from === into) throw refuse("it has no other end")
  if (!KINDS.has(source.kind)) throw refuse(`a ${source.kind} cannot be added up`)
  if (source.kind !== target.kind || elementOf(source) !== elementOf(target))
    throw refuse("they do not hold the same members or fields")
  if (source.db !== target.db) throw refuse("they are in different databases")
  for (const key of [source, target]) {
    const open = Object.keys(key.params).find((param) => isOpen(key.params[param]!))
    if (open !== undefined) throw refuse(`${key.pattern} has a parameter, {${open}}: which of them is meant?`)
  }
  if (drafts.some((one) => one.name === names.out)) throw refuse(`${from} has a drain already`)
  const never = { on: "never" } as const
  const { keep: _, doc: _doc, writes: _w, reads: _r, ...inherited } = source
  const tag = hashTag(target.pattern) ?? "target"
  return [
    {
      ...inherited,
      name: names.out,
      pattern: `${source.pattern}:out`,
      ttl: never,
      doc: `A batch of ${from} on its way into ${into}; empty once it is there.`,
    },
    {
      ...inherited,
      name: names.note,
      pattern: `${source.pattern}:note`,
      kind: "hash",
      shape: { fields: { number: int({ min: 0 }), by: optional(text), until: optional(float) } },
      ttl: never,
      doc: `The number of the last batch of ${from}; while a batch is on its way, who has it, and until when.`,
    },
    {
      name: names.drained,
      db: target.db,
      pattern: `keywright:drained:{{${tag}}}:${name}`,
      kind: "map",
      params: { [tag]: target.params[tag] ?? whole(target.pattern) },
      shape: { field: text, value: int({ min: 0 }) },
      ttl: never,
      doc: `The last batch of ${from} that is in ${into}, for each shard, so that no batch counts twice.`,
    },
  ]
}

/** What an amount belongs to: a member, or a field. */
const elementOf = ({ shape }: Draft): string => JSON.stringify(((shape["member"] ?? shape["field"]) as AnyCodec)?.spec)

const isOpen = (of: TextCodec): boolean => of.shard === undefined && onlyValue(of) === undefined

/** The whole key as a hash tag, where it has none. */
const whole = (key: string): TextCodec => codec({ ...oneOf(key), allow: ":{}*?[]\\ " })
