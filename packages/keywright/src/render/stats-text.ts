/* Stats for people: one row per pattern, the largest first. */

import type { DatabaseStats, PatternStats, StatsResult } from "../inspect/stats/stats.ts"
import type { Tallied } from "../inspect/stats/tally.ts"
import type { Paint } from "./paint.ts"
import { bytesText, countText } from "./quantity.ts"
import { shorten, table } from "./table.ts"

export function statsText(
  result: StatsResult,
  { all, width }: { readonly all: boolean; readonly width: number },
  paint: Paint,
): string {
  const several = result.databases.length > 1
  const parts = result.databases
    .filter(({ keys }) => all || keys > 0 || !several)
    .map((database) => databaseText(database, several, all, width, paint))
  const biggest = result.biggest.map(({ key, type, bytes }) => [bytesText(bytes), type, key])
  const big =
    biggest.length === 0
      ? []
      : [
          `${paint.bold("Biggest keys")}\n${table([{ head: "memory", right: true }, { head: "type" }, { head: "key", most: width - 22 }], biggest, heads(paint))}`,
        ]
  return [...parts, ...big, keysText(result)].join("\n\n")
}

function databaseText(database: DatabaseStats, several: boolean, all: boolean, width: number, paint: Paint): string {
  const { db, patterns, toolkit, unknown, bytes } = database
  const rows = [...patterns, ...toolkit].filter((row) => all || row.keys > 0).sort((a, b) => b.bytes - a.bytes)
  const strange = unknown.slice(0, all ? undefined : 10)
  const empty = patterns.filter((row) => row.keys === 0).length
  const columns = [
    { head: "pattern", most: Math.max(24, width - 66) },
    { head: "type" },
    { head: "keys", right: true },
    { head: "memory", right: true },
    { head: "share", right: true },
    { head: "no TTL", right: true },
    { head: "biggest", right: true },
  ]
  const known = rows.length
  const body = table(
    columns,
    [...rows, ...strange].map((row, i) => cells(row, bytes, i >= known)),
    (text, row) => (row < 0 ? paint.dim(text) : row >= known ? paint.yellow(text) : text),
  )
  const notes = [
    strange.length > 0
      ? paint.yellow(
          `? marks keys that no pattern owns, by what their pattern may be${unknown.length > strange.length ? ` (${unknown.length - strange.length} more)` : ""}`,
        )
      : undefined,
    empty > 0 && !all ? paint.dim(`${empty} declared patterns have no keys (--all shows them)`) : undefined,
  ]
  const head = several ? `${paint.bold(`Database ${db}`)}  ${keysText(database)}\n` : ""
  return `${head}${[body, ...notes].filter((part) => part !== undefined).join("\n")}`
}

const heads = (paint: Paint) => (text: string, row: number) => (row < 0 ? paint.dim(text) : text)

const sumOf = (spread: Readonly<Record<string, number>>): number =>
  Object.values(spread).reduce((sum, count) => sum + count, 0)

const keysText = (of: Tallied): string => `${countText(of.keys)} keys, ${memoryText(of, "memory not known")}`

/** `"12 kB"`, `"≥ 12 kB"` where the size of some keys could not be read. */
function memoryText({ keys, bytes, sizes }: Tallied, unknown: string): string {
  const measured = sumOf(sizes)
  if (measured === keys) return bytesText(bytes)
  return measured === 0 ? unknown : `≥ ${bytesText(bytes)}`
}

/** How many never expire; of keys whose TTL could not be read it is not known. */
function noTtlText(ttl: PatternStats["ttl"], keys: number): string {
  if (ttl.none === keys) return "all"
  return sumOf(ttl) < keys ? "?" : countText(ttl.none)
}

function cells(row: PatternStats, whole: number, unknown: boolean): string[] {
  const { pattern, types, keys, bytes, ttl, biggest } = row
  return [
    `${unknown ? "? " : ""}${pattern}`,
    shorten(Object.keys(types).join(","), 12) || "-",
    countText(keys),
    memoryText(row, "?"),
    whole === 0 ? "-" : `${((100 * bytes) / whole).toFixed(1)} %`,
    noTtlText(ttl, keys),
    biggest[0] === undefined ? "-" : bytesText(biggest[0].bytes),
  ]
}
