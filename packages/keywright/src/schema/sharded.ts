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
export interface Sharded<By extends string, E, Q> extends Group<`{${By}}`, E, Q> {
  readonly group: "sharded"
  readonly by: By
  readonly shards: number
}

/**
 * Keys that are spread over a number of shards by one of their parameters, each shard in one slot of a cluster. A key
 * without that parameter exists once in each shard. With 0 shards keys have their plain names: one server. The number is
 * fixed for the life of the data.
 * @example
 * const session = sharded(1024, "token", {
 *   login: map("login:", id("token"), text, { ttl: "never" }),
 *   cart: map("cart:{token}", text, int, { ttl: "30d" }),
 * })
 */
export const sharded = <const By extends string, const E extends Entries, const Q extends AnyParams = {}>(
  shards: number,
  by: By,
  entries: E,
  notes?: GroupNotes<Q>,
): Sharded<By, E, Q> => {
  if (!Number.isSafeInteger(shards) || shards < 0 || shards > SLOTS)
    throw shardedRefused(by, `${shards} is not a number of shards, 0 to ${SLOTS}`)
  if (!/^[a-z]\w*$/i.test(by) || by === "shard") throw shardedRefused(by, "it is not the name of a parameter")
  for (const name of ["shards", "merged"])
    if (Object.hasOwn(entries, name))
      throw shardedRefused(by, `"${name}" names what the group itself has, not an entry`)
  const prefix = shards === 0 ? "" : "{{shard}}:"
  const made = group("sharded", prefix as `{${By}}`, entries, notes)
  return Object.freeze({ ...made, group: "sharded", by, shards, "~keys": keysOfSharded })
}

function keysOfSharded(given: Sharded<string, object, AnyParams>, path: string, around: Inherited): Draft[] {
  const { by, shards } = given
  if (around.notes.sharded !== undefined) throw shardedRefused(by, "it is inside another sharded group")
  const of = given.params[by] ?? around.params[by] ?? text
  const params = shards === 0 ? around.params : { ...around.params, shard: shardCodec(shards, by, of) }
  const notes = { ...around.notes, sharded: Object.freeze({ by, shards }) }
  if (shards === 0 || !around.prefix.includes("{{")) return keysOfGroup(given, path, { ...around, params, notes })
  // The first braces of a key choose its slot: those of a tag around the group become part of the name.
  const prefix = `{{shard}}:${around.prefix.replace(/\{\{(\w+)\}\}/g, "{$1}")}`
  return keysOfGroup({ ...given, prefix }, path, { prefix: "", params, notes })
}
