/* A group that is spread over the slots of a cluster: all keys that belong to one value of a
 * parameter are in one slot, and different values in different ones. It is a scope whose
 * parameter {shard} follows from another one, so no call names it. */

import { shardedRefused } from "../errors/define.ts"
import { SLOTS } from "../slots/crc16.ts"
import { text } from "./codec/text.ts"
import type { Draft, Inherited } from "./draft.ts"
import { type AnyParams, type Entries, type Group, group, type GroupNotes, keysOfGroup } from "./group.ts"
import { shardCodec } from "./shard.ts"

/**
 * What `sharded` makes. In its type the parameter stands before every key, since every call needs it.
 * @example
 * const byOf = (of: Sharded<string, unknown, unknown>) => of.by
 */
export interface Sharded<
  By extends string,
  E,
  Q,
  Of extends string = string,
  Start extends string = string,
> extends Group<`{${By}}`, E, Q> {
  readonly group: "sharded"
  readonly by: By
  readonly shards: number
  readonly checksumOf?: readonly Of[]
  readonly startOf?: readonly Start[]
}

/**
 * What a sharded group may say besides the notes of every group.
 * @example
 * const byUser: ShardedNotes<{}> = { checksumOf: ["project", "user"], startOf: ["token"] }
 */
export interface ShardedNotes<Q, Of extends string = string, Start extends string = string> extends GroupNotes<Q> {
  /** The parameter is the `checksum` of these: the group is sharded by several. */
  readonly checksumOf?: readonly Of[]
  /** Values of these parameters begin with the checksum: a token that says where its user is. */
  readonly startOf?: readonly Start[]
}

/**
 * Keys that are spread over a number of shards by one of their parameters, each shard in one slot of a cluster. A key
 * without that parameter exists once in each shard. With 0 shards keys have their plain names: one server. The number is
 * fixed for the life of the data.
 *
 * With `checksumOf` the parameter is the checksum of several others, and values of those in `startOf` begin with it.
 * @example
 * const session = sharded(1024, "token", {
 *   login: map("login:", id("token"), text, { ttl: "never" }),
 *   cart: map("cart:{token}", text, int, { ttl: "30d" }),
 * })
 */
export const sharded = <
  const By extends string,
  const E extends Entries,
  const Q extends AnyParams = {},
  const Of extends string = never,
  const Start extends string = never,
>(
  shards: number,
  by: By,
  entries: E,
  { checksumOf, startOf, ...notes }: ShardedNotes<Q, Of, Start> = {},
): Sharded<By, E, Q, Of, Start> => {
  if (!Number.isSafeInteger(shards) || shards < 0 || shards > SLOTS)
    throw shardedRefused(by, `${shards} is not a number of shards, 0 to ${SLOTS}`)
  if (!/^[a-z]\w*$/i.test(by) || by === "shard") throw shardedRefused(by, "it is not the name of a parameter")
  for (const name of ["shards", "merged"])
    if (Object.hasOwn(entries, name))
      throw shardedRefused(by, `"${name}" names what the group itself has, not an entry`)
  if (startOf !== undefined && checksumOf === undefined)
    throw shardedRefused(by, "startOf names what begins with a checksum, and checksumOf does not say of what")
  for (const name of [...(checksumOf ?? []), ...(startOf ?? [])] as string[])
    if (name === by || name === "shard") throw shardedRefused(by, `it is the checksum of ${name}, which it decides on`)
  if (checksumOf?.length === 0) throw shardedRefused(by, "it is the checksum of nothing")
  const prefix = shards === 0 ? "" : "{{shard}}:"
  const made = group("sharded", prefix as `{${By}}`, entries, notes)
  const sums = { ...(checksumOf && { checksumOf }), ...(startOf && { startOf }) }
  return Object.freeze({ ...made, group: "sharded", by, shards, ...sums, "~keys": keysOfSharded })
}

function keysOfSharded(given: Sharded<string, object, AnyParams>, path: string, around: Inherited): Draft[] {
  const { by, shards, checksumOf, startOf } = given
  if (around.notes.sharded !== undefined) throw shardedRefused(by, "it is inside another sharded group")
  const of = given.params[by] ?? around.params[by] ?? text
  const params = shards === 0 ? around.params : { ...around.params, shard: shardCodec(shards, given, of) }
  const sums = { ...(checksumOf && { checksumOf }), ...(startOf && { startOf }) }
  const notes = { ...around.notes, sharded: Object.freeze({ by, shards, ...sums }) }
  if (shards === 0 || !around.prefix.includes("{{")) return keysOfGroup(given, path, { ...around, params, notes })
  // The first braces of a key choose its slot: those of a tag around the group become part of the name.
  const prefix = `{{shard}}:${around.prefix.replace(/\{\{(\w+)\}\}/g, "{$1}")}`
  return keysOfGroup({ ...given, prefix }, path, { prefix: "", params, notes })
}
