/* The slow log by pattern: which keys and commands of this schema hold the others up. */

import { firstKey } from "../../driver/first-key.ts"
import type { CheckFinding } from "../check/check-finding.ts"
import type { PatternFinder } from "../model/pattern-finder.ts"
import type { ServerSettings, SlowEntry } from "./server-settings.ts"

export interface SlowRow {
  readonly command: string
  /** The pattern of the first key; null for keys that no pattern owns and for commands without keys. */
  readonly pattern: string | null
  readonly count: number
  readonly worstMs: number
  readonly totalMs: number
}

/** The longest in all first. Keys and values are not repeated. */
export function slowRows(entries: readonly SlowEntry[], find: PatternFinder): SlowRow[] {
  const rows = new Map<
    string,
    { command: string; pattern: string | null; count: number; worst: number; total: number }
  >()
  for (const { command, micros } of entries) {
    const name = (command[0] ?? "").toUpperCase()
    const key = firstKey(command)
    const pattern = (key === undefined ? undefined : find(String(key))?.pattern) ?? null
    const id = `${name} ${pattern}`
    const row = rows.get(id) ?? { command: name, pattern, count: 0, worst: 0, total: 0 }
    rows.set(id, { ...row, count: row.count + 1, worst: Math.max(row.worst, micros), total: row.total + micros })
  }
  const ms = (micros: number) => Math.round(micros / 10) / 100
  return [...rows.values()]
    .sort((a, b) => b.total - a.total)
    .map(({ command, pattern, count, worst, total }) => ({
      command,
      pattern,
      count,
      worstMs: ms(worst),
      totalMs: ms(total),
    }))
}

export function checkSlow(rows: readonly SlowRow[], { latency, config }: ServerSettings): CheckFinding[] {
  const found: CheckFinding[] = []
  const blocking = rows.filter(({ command }) => command === "KEYS" || command === "FLUSHALL" || command === "FLUSHDB")
  for (const { command, count, worstMs } of blocking) {
    found.push({
      code: "DOCTOR.BLOCKING",
      severity: "warning",
      message: `${command} is in the slow log ${count} times, up to ${worstMs} ms`,
      why: "The server serves nobody else meanwhile.",
      fix: command === "KEYS" ? "Use SCAN, as keywright ls and stats do." : "Use ASYNC, or keywright purge.",
    })
  }
  const slow = rows.filter((row) => !blocking.includes(row) && row.worstMs >= 50)
  if (slow.length > 0) {
    const [worst] = slow.toSorted((a, b) => b.worstMs - a.worstMs)
    found.push({
      code: "DOCTOR.SLOW",
      severity: "warning",
      message: `commands of up to ${worst!.worstMs} ms held others up: ${worst!.command}${worst!.pattern === null ? "" : ` on ${worst!.pattern}`}`,
      why: "The server runs one command at a time.",
      fix: "Page through large values, delete them with UNLINK; see keywright stats for the biggest keys.",
      patterns: slow.flatMap(({ pattern }) => pattern ?? []),
    })
  }
  const worstEvent = latency.toSorted((a, b) => b.worstMs - a.worstMs)[0]
  if (worstEvent && worstEvent.worstMs >= 100) {
    found.push({
      code: "DOCTOR.LATENCY",
      severity: "warning",
      message: `the server stalled for up to ${worstEvent.worstMs} ms (${worstEvent.event})`,
      fix: "See LATENCY DOCTOR on the server.",
    })
  }
  if (Number(config?.["slowlog-log-slower-than"] ?? 10_000) < 0) {
    found.push({
      code: "DOCTOR.SLOWLOG_OFF",
      severity: "note",
      message: "the slow log is switched off",
      fix: "Set slowlog-log-slower-than 10000.",
    })
  }
  return found
}
