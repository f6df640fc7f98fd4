/* Where the keys of the document are when users are spread over shards. */

import { keyFormat, type Key } from "keywright"
import type { Placement } from "../platform/testing/cluster-server.ts"
import { recommenderSchema } from "./schema.ts"

const SHARDS = 16
const schema = recommenderSchema({ shards: SHARDS })
const OF_USER = /^([1-9]\d*)_(liked_posts|clgs_preference)$/
/** Commands whose next word is a user. */
const BY_FIELD = new Set(["HGET", "HSET", "HDEL", "HEXISTS", "HMGET", "HINCRBY"])
const OWN = /:keywright:recommender:(?:fence|term|shards)$/
const LEASE = "keywright:lease:"

function formatOf(name: string) {
  const { pattern, params, sharded } = schema.keys.find((key) => key.name === name) as Key
  return keyFormat(pattern, params, sharded?.by)
}
const shardOf = (user: string): string => {
  const key = formatOf("user.likedPosts").build({ user: Number(user), tag: "pool" })
  return key.slice(0, key.indexOf(":") + 1)
}
/** All shards: each has some of 400 users. */
const allShards = [...new Set(Array.from({ length: 400 }, (_, i) => shardOf(String(i + 1))))]

export const onShards: Placement = {
  title: "on a cluster, users in shards",
  settings: { shards: String(SHARDS) },
  keysOf(key, [name = "", , field = ""]) {
    const user = OF_USER.exec(key)?.[1]
    if (user !== undefined) return [`${shardOf(user)}pool:${key}`]
    if (key !== "user_contribution")
      return [key.startsWith(LEASE) ? `${LEASE}{pool}:${key.slice(LEASE.length)}` : `{pool}:${key}`]
    const isOfUser = BY_FIELD.has(name) && /^[1-9]\d*$/.test(field)
    return (isOfUser ? [shardOf(field)] : allShards).map((shard) => `${shard}pool:${key}`)
  },
  nameOf(key) {
    if (OWN.test(key) || key.startsWith(LEASE)) return undefined
    return key.replace(/^\{\w+\}:(?:pool:)?/, "")
  },
  told: (text) => text.replaceAll(/\{[\w-]+\}:(?:pool:)?/g, ""),
}
