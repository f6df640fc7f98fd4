/* Rows of a list of keys: type, TTL, size, and a short look at the value where there is
 * nothing to hide. Two round trips, whatever the number of rows. */

import type { Command, Reply } from "../../driver/driver.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { showWire } from "../../inspect/walk/wire.ts"
import type { KeyRow } from "../api.ts"
import { wireOf } from "./cell.ts"
import type { Listed } from "./list-keys.ts"
import type { OpenSystem } from "./open-system.ts"
import { LENGTHS } from "./read-elements.ts"

const PREVIEW = 120
const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  hash: ["field", "fields"],
  list: ["item", "items"],
  set: ["member", "members"],
  zset: ["member", "members"],
  stream: ["entry", "entries"],
}

export async function keyRows(system: OpenSystem, db: number, listed: readonly Listed[]): Promise<KeyRow[]> {
  if (listed.length === 0) return []
  const driver = system.driverOf(db)
  const commands: Command[] = listed.flatMap(({ key }) => [
    ["TYPE", key],
    ["PTTL", key],
    ["MEMORY", "USAGE", key],
  ])
  const facts = await driver.batch(commands, SAFE)
  const types = listed.map((_, i) => String(facts[3 * i]))
  const looks = listed.map(({ key, owner }, i): Command => {
    const hides = owner === undefined || system.holdsSecrets(owner.row)
    const measure = LENGTHS[types[i]!]
    if (measure === undefined) return ["EXISTS", key]
    return types[i] === "string" && !hides ? ["GETRANGE", key, "0", String(PREVIEW - 1)] : [measure, key]
  })
  const seen = await driver.batch(looks, SAFE_BYTES)
  return listed.flatMap(({ key, owner }, i): KeyRow[] => {
    const [type, ttl, bytes] = [types[i]!, facts[3 * i + 1], facts[3 * i + 2]]
    if (type === "none") return []
    const preview = previewOf(type, seen[i]!)
    return [
      {
        ...system.link(db, key, owner?.row),
        params: owner === undefined ? {} : system.shownParams(owner),
        type,
        ttlMs: typeof ttl === "number" && ttl >= 0 ? ttl : null,
        bytes: typeof bytes === "number" ? bytes : null,
        ...(preview !== undefined && { preview }),
      },
    ]
  })
}

function previewOf(type: string, reply: Reply): string | undefined {
  if (reply instanceof Uint8Array)
    return showWire(wireOf(reply))
      .replace(/\s+/g, " ")
      .replace(/\ufffd+$/, "")
  const words = WORDS[type]
  if (words === undefined || typeof reply !== "number") return type === "string" ? `${String(reply)} bytes` : undefined
  return `${reply} ${words[reply === 1 ? 0 : 1]}`
}
