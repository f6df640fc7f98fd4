/* Batches that cross shards. A run reads records in the order of their ids, cuts each batch
 * by shard, and applies each part by a step of its own: so a batch is not one step any more,
 * and a run that is cut short leaves it applied in some shards only. The next run repeats it,
 * with other boundaries perhaps. What makes that harmless is a fence in each shard: the last
 * id that was applied there, moved in the same step. A record at or below it is passed over.
 *
 * A fence also has a term, a number that grows from run to run (client/fences/): what an
 * earlier run has sent and the server has not carried out yet is refused then. */

import { fenceSequence } from "../errors/fence.ts"
import { type AnyCodec, codec, type Codec } from "./codec/codec.ts"
import { int } from "./codec/number.ts"
import { packedInts } from "./codec/packed.ts"
import { text } from "./codec/text.ts"
import { type Def, map, type Notes } from "./define.ts"
import { type Argument, arrayOf, type ArrayOf, step, type Step, type StepOptions } from "./step.ts"

/** What a fence holds besides how far each sequence is. */
export const TERM = "term"

/** Refuses the name under which a fence keeps its term. */
export function checkSequence(name: string): void {
  if (name === TERM) throw fenceSequence(name)
}

const sequenceName: Codec<string> = codec({
  ...text,
  encode(name: string) {
    checkSequence(name)
    return text.encode(name)
  },
})

/** For each sequence of records the last id that was applied, and the term of the latest run. */
const position = int({ min: 0 })

/**
 * How far the records of each sequence were applied in a shard, for steps that `fencedStep` declares. It belongs into the
 * group whose keys they change.
 * @example
 * const user = sharded(1024, "user", {
 *   likes: set("{user}:likes", int, { ttl: "never" }),
 *   fence: fence("fence", { ttl: "never" }),
 * })
 */
export const fence = <const P extends string>(pattern: P, notes: Pick<Notes, "doc" | "ttl"> = {}): FenceDef<P> =>
  map(pattern as never, text, position, {
    doc: "The last record of each sequence that was applied in this shard, and the term of the latest run.",
    ...notes,
  }) as unknown as FenceDef<P>

type FenceDef<P extends string> = Def<"map", P, {}, { readonly field: typeof text; readonly value: typeof position }>

/**
 * What every fenced step takes besides its own arguments; `takeFences` makes all but the records.
 * @example
 * const takesRecords = (args: FencedArguments<Codec<string>>) => args.records.shape
 */
export interface FencedArguments<R extends AnyCodec> {
  /** One value for each record. */
  readonly records: ArrayOf<R>
  readonly sequence: Codec<string>
  readonly fence: Codec<number[], readonly number[], Uint8Array>
}

export interface FencedStepOptions<K, F, A, R> extends Pick<
  StepOptions<K, A, undefined>,
  "script" | "keys" | "args" | "doc"
> {
  /** The path of the fence, in the slot of the other keys. */
  readonly fence: F
  /** How one record is written. The script gets those that were not applied yet as its last arguments: how many, and each. */
  readonly record: R
}

/**
 * A step that applies a batch of records, each of them once, however often and with whatever boundaries the batch is repeated:
 * the script is given only those that are beyond the fence. Returns how many these were.
 * @example
 * const addLikes = fencedStep({
 *   script: "-- KEYS likes of each user  ARGV users, n, n × (user, post)\nfor i = 3, #ARGV do local user, post = ARGV[i]:match('(%d+),(%d+)') redis.call('SADD', KEYS[tonumber(user)], post) end",
 *   keys: ["user.likes[]"],
 *   fence: "user.fence",
 *   record: many(int),
 * })
 */
export function fencedStep<
  const K extends string,
  const F extends string,
  R extends AnyCodec,
  const A extends Readonly<Record<string, Argument>> = {},
>({
  keys,
  fence: path,
  record,
  args,
  ...rest
}: FencedStepOptions<K, F, A, R>): Step<K | F, A & FencedArguments<R>, typeof position> {
  const taken = { ...args, records: arrayOf(record), sequence: sequenceName, fence: packedInts }
  const made = step({ ...rest, keys: [...keys, path], args: taken as never, returns: position })
  return Object.freeze({ ...made, fenced: true }) as never
}
