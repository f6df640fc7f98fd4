/* RESP3 nests what RESP2 lists flat, for a few commands. These functions give
 * their replies the shape of RESP2, so that readers need to know only one.
 *
 * Everything else needs no knowledge of the command: the reader flattens maps,
 * and sets, doubles and booleans become arrays, text and 0 or 1 on the way. */

import type { Command, Reply } from "./driver.ts"

type Reshape = (reply: readonly Reply[]) => readonly Reply[]

/** `[["a", "1"], ["b", "2"]]` → `["a", "1", "b", "2"]` */
const flat: Reshape = (reply) => (reply.every(Array.isArray) ? (reply as readonly Reply[][]).flat() : reply)

/** `["stream", entries, …]` → `[["stream", entries], …]` */
const paired: Reshape = (reply) => {
  if (reply.every(Array.isArray)) return reply
  const pairs: Reply[] = []
  for (let i = 0; i + 1 < reply.length; i += 2) pairs.push([reply[i] as Reply, reply[i + 1] as Reply])
  return pairs
}

const SHAPES: ReadonlyMap<string, Reshape> = new Map([
  ...["ZRANGE", "ZREVRANGE", "ZRANGEBYSCORE", "ZREVRANGEBYSCORE"].map((name) => [name, flat] as const),
  ...["ZUNION", "ZINTER", "ZDIFF", "ZRANDMEMBER", "ZPOPMIN", "ZPOPMAX", "HRANDFIELD"].map(
    (name) => [name, flat] as const,
  ),
  ["XREAD", paired],
  ["XREADGROUP", paired],
])

/** The reply of a RESP3 connection, in the shape it has in RESP2. */
export function asResp2(command: Command, reply: Reply): Reply {
  if (!Array.isArray(reply) || reply.length === 0) return reply
  const name = command[0]
  if (typeof name !== "string") return reply
  const shape = SHAPES.get(name) ?? SHAPES.get(name.toUpperCase())
  return shape === undefined ? reply : shape(reply)
}
