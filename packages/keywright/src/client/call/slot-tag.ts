import type { Wire } from "../../driver/driver.ts"
import { callSplit } from "../../errors/placement.ts"

/**
 * What puts a companion key into the same slot of a cluster: the key's own hash tag, or the whole key as a hash
 * tag.
 */
export function slotTag(key: string, cluster: boolean): string {
  return cluster ? `{${tagIn(key)}}:` : ""
}

/** What decides on the slot of a key: its hash tag, or all of it. */
function tagIn(key: string): string {
  const open = key.indexOf("{")
  const close = open < 0 ? -1 : key.indexOf("}", open + 1)
  return close > open + 1 ? key.slice(open + 1, close) : key
}

/**
 * Refuses keys that a cluster may keep apart, also where they happen to share a slot: otherwise some calls would work by
 * luck. `show` says the key at a place as it may be shown.
 */
export function requireOneTag(what: string, keys: readonly string[], show: (place: number) => string): void {
  if (keys.length < 2) return
  const tag = tagIn(keys[0]!)
  const other = keys.findIndex((key) => tagIn(key) !== tag)
  if (other >= 0) throw callSplit(what, show(0), show(other))
}

/**
 * In a cluster, for scripts that remove a key and write it again: a key that never exists, in the slot of this one.
 * While a slot moves, a script is cut off in the middle, keeping what it did, when it uses a key that is not on its node;
 * a key that it has removed itself counts as one. With a key that is not there, the node says TRYAGAIN before
 * it begins, until the slot has moved.
 */
export function neverKeys<K extends Wire>(key: K, cluster: boolean): readonly K[] {
  if (!cluster) return []
  if (typeof key === "string") return [`keywright:never:${slotTag(key, true)}` as K]
  const text = Buffer.from(key as Uint8Array).toString("latin1")
  return [Buffer.from(`keywright:never:${slotTag(text, true)}`, "latin1") as Uint8Array as K]
}
