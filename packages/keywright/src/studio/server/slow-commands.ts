/* SLOWLOG GET, of every primary, grouped by command and pattern. Arguments are never shown: they are
 * values, and may be secret. */

import type { Driver, Reply } from "../../driver/driver.ts"
import { firstKey } from "../../driver/first-key.ts"
import { SAFE } from "../../driver/safe.ts"
import { instantText } from "../../inspect/model/told-by-server.ts"
import type { SlowCommands, SlowPattern } from "../api.ts"
import type { OpenSystem } from "./open-system.ts"

const MOST_ENTRIES = "256"

interface SlowEntry {
  readonly atSeconds: number
  readonly micros: number
  readonly words: readonly string[]
}

export async function slowCommands(system: OpenSystem): Promise<SlowCommands> {
  const { driver } = system
  const nodes = driver.cluster ? await driver.primaries() : [driver]
  const entries = (await Promise.all(nodes.map(entriesOf))).flat()
  const rows = new Map<string, SlowPattern>()
  for (const { atSeconds, micros, words } of entries) {
    const command = (words[0] ?? "").toLowerCase()
    const place = patternOfCommand(system, words)
    const id = `${command} ${place.name ?? ""}`
    const before = rows.get(id)
    const at = instantText(1000 * atSeconds)
    rows.set(id, {
      command,
      ...place,
      count: (before?.count ?? 0) + 1,
      totalMicros: (before?.totalMicros ?? 0) + micros,
      longestMicros: Math.max(before?.longestMicros ?? 0, micros),
      lastAt: before !== undefined && before.lastAt > at ? before.lastAt : at,
    })
  }
  const oldest = Math.min(...entries.map(({ atSeconds }) => atSeconds))
  return {
    system: system.name,
    rows: [...rows.values()].sort((a, b) => b.totalMicros - a.totalMicros),
    entries: entries.length,
    since: entries.length === 0 ? undefined : instantText(1000 * oldest),
  }
}

async function entriesOf(node: Driver): Promise<SlowEntry[]> {
  const reply = await node.send(["SLOWLOG", "GET", MOST_ENTRIES], SAFE)
  return (Array.isArray(reply) ? (reply as readonly Reply[]) : []).flatMap((entry) => {
    const [, atSeconds, micros, words] = (Array.isArray(entry) ? entry : []) as readonly Reply[]
    return Array.isArray(words)
      ? [{ atSeconds: Number(atSeconds), micros: Number(micros), words: words.map(String) }]
      : []
  })
}

/** The log does not say in which database it was: the first one that has such a pattern. */
function patternOfCommand(system: OpenSystem, words: readonly string[]): Pick<SlowPattern, "pattern" | "name"> {
  const key = words.length > 1 ? firstKey(words) : undefined
  if (typeof key !== "string") return {}
  for (const { db } of system.databases) {
    const row = system.ownerOf(db, key)?.row
    if (row !== undefined) return { pattern: row.declared.pattern, name: system.nameOf(row) }
  }
  return {}
}
