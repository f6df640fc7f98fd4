/* Where the keys of the document are when sessions and rows are spread over shards. */

import { connect, keyFormat, type Key } from "keywright"
import { isFull } from "../../test/full.ts"
import type { Placement } from "../platform/testing/cluster-server.ts"
import { shopSchema } from "./schema.ts"

export const SHARDS = isFull ? 1024 : 16
export const shardedShop = shopSchema({ shards: SHARDS })

/** Commands whose next word is an element, and those where it comes after a score. */
const BY_ELEMENT = new Set(["HGET", "HSET", "HDEL", "HEXISTS", "ZSCORE", "ZREM", "ZRANK"])
const AFTER_SCORE = new Set(["ZADD", "ZINCRBY"])
const GROUPS = [
  { keys: ["login:", "recent:"], heads: ["viewed:", "cart:"], of: "session.cart", by: "token" },
  { keys: ["delay:", "schedule:"], heads: ["inv:"], of: "stock.row", by: "row" },
]

export const onShards: Placement = {
  title: "on a cluster, sessions and rows in shards",
  settings: { shards: String(SHARDS) },
  keysOf(key, [name = "", , ...words]) {
    for (const { keys, heads, of, by } of GROUPS) {
      const { pattern, params } = shardedShop.keys.find((one) => one.name === of) as Key
      const inShardOf = (value: string) =>
        `${
          keyFormat(pattern, params)
            .build({ [by]: value })
            .split(":", 1)[0]
        }:${key}`
      const head = heads.find((one) => key.startsWith(one) && key !== one)
      if (head !== undefined) return [inShardOf(key.slice(head.length))]
      if (!keys.includes(key)) continue
      const element = BY_ELEMENT.has(name) ? words[0] : AFTER_SCORE.has(name) ? words[1] : undefined
      if (element !== undefined) return [inShardOf(element)]
      return params["shard"]!.shard!.tags.map((tag) => `{${tag}}:${key}`)
    }
    return [key]
  },
  nameOf(key) {
    if (/keywright:(shop:(views|shards)|drained:)/.test(key)) return undefined
    return key.replace(/^\{\w+\}:/, "")
  },
  async settle(key, url) {
    if (key !== "viewed:") return
    const db = await connect(shardedShop, url)
    await db.$drains.views.run()
    await db.$close()
  },
}
