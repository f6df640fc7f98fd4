/* Calls per command, from INFO commandstats: exact, complete and free. */

import type { Driver } from "../../driver/driver.ts"

export type CommandCounts = ReadonlyMap<string, number>

/** What a connection of ours says to begin with, and what `top` asks: not counted. */
const OWN = new Set(["info", "monitor", "hello", "client", "auth", "select"])

/** Calls since the server started, by command; those of subcommands together. */
export async function commandCounts(driver: Driver): Promise<CommandCounts> {
  const counts = new Map<string, number>()
  for (const node of await driver.primaries()) {
    const info = String(await node.send(["INFO", "commandstats"], { safe: true }))
    for (const [, name, calls] of info.matchAll(/^cmdstat_([^:|\s]+)(?:\|[^:\s]*)?:calls=(\d+)/gm)) {
      const command = (name as string).toLowerCase()
      if (!OWN.has(command)) counts.set(command, (counts.get(command) ?? 0) + Number(calls))
    }
  }
  return counts
}

/** What was called between two counts; undefined when the server's statistics were reset. */
export function callsBetween(before: CommandCounts, after: CommandCounts): Map<string, number> | undefined {
  const calls = new Map<string, number>()
  for (const [command, count] of after) {
    const more = count - (before.get(command) ?? 0)
    if (more < 0) return undefined
    if (more > 0) calls.set(command, more)
  }
  return calls
}

export const isOwnCommand = (command: string): boolean => OWN.has(command)
