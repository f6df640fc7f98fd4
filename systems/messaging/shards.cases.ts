/* Where the messenger's keys are on a cluster, worked out apart from the code that is tested:
 * the shard of a user, a channel, a service or a project is the CRC16 of its names, modulo
 * their number, and tokens begin with the checksum of their user. */

import type { Placement } from "../platform/testing/cluster-server.ts"
import { messagingSchema } from "./schema.ts"

export const SHARDS = 7
export const shardedMessenger = messagingSchema({ shards: SHARDS })

const tags = shardedMessenger.keys[0]!.params["shard"]!.shard!.tags
export const TAGS = tags.map((tag) => `{${tag}}:`)

export function crc16(name: string): number {
  let sum = 0
  for (const byte of Buffer.from(name)) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x8000 ? ((sum << 1) ^ 0x1021) & 0xffff : (sum << 1) & 0xffff
  }
  return sum
}

/** `homeOf("456", "789", "u1")` */
export const homeOf = (...names: string[]): string => crc16(names.join(":")).toString(16).padStart(4, "0")
const tagAt = (checksum: number): string => TAGS[checksum % SHARDS]!
/** The tag of what these names are of: `tagOf("456", "789", "u1")`. */
export const tagOf = (...names: string[]): string => tagAt(crc16(names.join(":")))
/** That of a token. */
export const tagOfToken = (token: string): string =>
  tagAt(/^[0-9a-f]{4}/.test(token) ? Number.parseInt(token.slice(0, 4), 16) : crc16(token))

const ID = "([\\w-]+)"
/** Keys whose names say where they are. */
const NAMED = [
  [`P:${ID}:S:${ID}:(?:St|C):${ID}$`, tagOf],
  [`P:${ID}:S:${ID}:Sub:${ID}:`, tagOf],
  [`P:${ID}:S:${ID}:Ch:${ID}`, tagOf],
  [`keywright:messaging:(?:writers|loader|revoking):${ID}:${ID}:${ID}$`, tagOf],
  [`keywright:messaging:(?:events|told):${ID}:${ID}(?:$|:aside)`, tagOf],
  [
    `P:${ID}:S:${ID}:(?:RefTok|AccTok):${ID}$`,
    (_project: string, _service: string, token: string) => tagOfToken(token),
  ],
  [`keywright:messaging:(?:pair|family):${ID}$`, tagOfToken],
  [`P:${ID}:P[GA]`, tagOf],
] as const

/** Commands that name a member or a field. */
const OF_ELEMENTS = /^(?:S(?:ADD|REM|ISMEMBER)|H(?:GET|SET|DEL|EXISTS))$/

/** The tags of a key of the document, and of what a command names beside it. */
function tagsOf(key: string, [command = "", , element = ""]: readonly string[]): readonly string[] {
  for (const [pattern, tagBy] of NAMED) {
    const names = new RegExp(`^${pattern}`).exec(key)
    if (names) return [(tagBy as typeof tagOf)(...names.slice(1))]
  }
  if (element === "" || !OF_ELEMENTS.test(command)) return TAGS
  const service = new RegExp(`^P:${ID}:S:${ID}:OnSub$`).exec(key)
  if (service) return [tagOf(service[1]!, service[2]!, element)]
  if (key === "TokensKeys") return [tagOfToken(element)]
  return key === "keywright:messaging:tenants" ? [tagOf(element)] : TAGS
}

/** What only shards have. */
const OWN = /^keywright:messaging:(?:untold|told):/

export const inShards: Placement = {
  title: `on a cluster, in ${SHARDS} shards`,
  settings: { shards: String(SHARDS) },
  keysOf: (key, words) =>
    key.startsWith("keywright:lease:") || key === "keywright:messaging:shards"
      ? [key]
      : tagsOf(key, words).map((tag) => tag + key),
  nameOf(key) {
    const name = /^\{\w+\}:(.*)$/s.exec(key)?.[1] ?? key
    return OWN.test(name) || name === "keywright:messaging:shards" ? undefined : name
  },
}
