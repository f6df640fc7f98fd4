/* Where the messenger's keys are on a cluster, worked out apart from the code that is tested:
 * the mark of a service is chosen by FNV-1a of its names, and tokens begin with it. */

import type { Placement } from "../platform/testing/cluster-server.ts"

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

export const SHARDS = 5
export const MARKS = Array.from({ length: SHARDS }, (_, i) => `A${DIGITS[i]}`)

/** `markOf("456:789")` */
export function markOf(name: string): string {
  let sum = 2166136261n
  for (const byte of Buffer.from(name)) sum = ((sum ^ BigInt(byte)) * 16777619n) & 0xffffffffn
  return MARKS[Number(sum % BigInt(SHARDS))]!
}

/** Of a key of the document, and what a command names beside it. */
function marksOf(key: string, [, , field = ""]: readonly string[]): readonly string[] {
  const ofService = /^(?:P:([\w-]+):S:|keywright:messaging:(?:revoking|writers|loader|events):([\w-]+):)([\w-]+)/.exec(
    key,
  )
  if (ofService) return [markOf(`${ofService[1] ?? ofService[2]}:${ofService[3]}`)]
  const ofProject = /^P:([\w-]+):/.exec(key)?.[1]
  if (ofProject !== undefined) return [markOf(ofProject)]
  const ofToken = /^keywright:messaging:(?:pair|family):(..)/.exec(key)?.[1]
  if (ofToken !== undefined) return [ofToken]
  if (key === "keywright:messaging:tenants" && field !== "") return [markOf(field)]
  return key === "TokensKeys" && MARKS.includes(field.slice(0, 2)) ? [field.slice(0, 2)] : MARKS
}

const LEASE = "keywright:lease:"

export const inShards: Placement = {
  title: `on a cluster, in ${SHARDS} shards`,
  settings: { shards: String(SHARDS) },
  keysOf: (key, words) =>
    key.startsWith(LEASE)
      ? [`${LEASE}{${MARKS[0]}}:${key.slice(LEASE.length)}`]
      : marksOf(key, words).map((mark) => `{${mark}}:${key}`),
  nameOf: (key) => /^\{A[\w-]\}:(?!keywright:messaging:shards$)(.*)$/s.exec(key)?.[1],
  // Some values are keys.
  shown: (text) => text.replace(/^\{A[\w-]\}:/, ""),
}
