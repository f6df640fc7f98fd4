/* Commands per second by pattern, live. How many calls there are is counted by the
 * server (INFO commandstats: all of them, at no cost); which patterns they touch is
 * sampled with MONITOR for a part of each interval, and scaled. What the sample saw
 * and what it missed is said in every frame. */

import { setTimeout as sleep } from "node:timers/promises"
import type { Driver } from "../../driver/driver.ts"
import { firstKey } from "../../driver/first-key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { callsBetween, commandCounts, isOwnCommand } from "./command-rates.ts"
import { type Monitored, monitorAll, type MonitorTarget, targetsOf } from "./monitor.ts"
import { type MonitoredCommand, readMonitorLine } from "./monitor-line.ts"
import { type PatternFinder, patternFinder } from "../model/pattern-finder.ts"

export interface TopOptions {
  /** Between two frames. Default: 1000. */
  readonly intervalMs?: number
  /** The part of each interval that MONITOR runs. Default: 0.2. */
  readonly sample?: number
  /** Ends after this many frames. */
  readonly frames?: number
  /** Only commands in these logical databases: rates are then those of the sample alone. */
  readonly databases?: readonly number[]
  /** Commands that are left out: the watcher's own. */
  readonly ignores?: (command: SeenCommand) => boolean
  /** Called with every command of the samples. */
  readonly onCommand?: (command: SeenCommand) => void
  readonly signal?: AbortSignal
}

/** A command as it passed by. */
export interface SeenCommand extends Pick<MonitoredCommand, "db" | "script"> {
  /** `"hset"` */
  readonly name: string
  readonly key: string | undefined
}

export interface TopFrame {
  readonly at: string
  readonly seconds: number
  /** The rate of all commands; null when the server's statistics were reset meanwhile. */
  readonly perSecond: number | null
  readonly sample: {
    readonly seconds: number
    readonly seen: number
    /** Commands that the server carried out during the sample and that did not arrive. */
    readonly lost: number
    readonly cut: Monitored["cut"] | null
  }
  readonly rows: readonly TopRow[]
}

export interface TopRow {
  readonly command: string
  /** Null: a key that nothing owns, or a command without one. */
  readonly pattern: string | null
  readonly what: "key" | "unknown key" | "no key" | "not sampled"
  readonly perSecond: number
}

const MOST_LINES = 50_000

/** Frames until `signal` or `frames` end it. `url` is that of `driver`: MONITOR needs a separate connection. */
export async function* top(
  keyspace: Keyspace,
  { driver, url }: { readonly driver: Driver; readonly url: string | MonitorTarget },
  options: TopOptions = {},
): AsyncGenerator<TopFrame> {
  const { intervalMs = 1000, sample = 0.2, frames = Infinity, signal } = options
  const find = patternFinder(keyspace, driver.db)
  let before = await commandCounts(driver)
  let started = performance.now()
  for (let i = 0; i < frames; i++) {
    if (signal?.aborted) return
    const seen = new Map<string, Seen>()
    const atFirst = await commandCounts(driver)
    const monitored = await monitorAll(
      await targetsOf(url, driver),
      { forMs: intervalMs * sample, mostLines: MOST_LINES, ...(signal && { signal }) },
      (line) => note(line, find, seen, options),
    )
    const inSample = callsBetween(atFirst, await commandCounts(driver))
    await until(started + intervalMs, signal)
    const after = await commandCounts(driver)
    const now = performance.now()
    const seconds = (now - started) / 1000
    const calls = callsBetween(before, after)
    const counted = options.databases === undefined ? calls : undefined
    const rows = rowsOf(seen, counted, seconds, monitored.ms / 1000)
    yield {
      at: new Date().toISOString(),
      seconds: round(seconds),
      perSecond: totalOf(rows, counted, seconds, options),
      sample: sampleOf(monitored, seen, options.databases === undefined ? inSample : undefined),
      rows,
    }
    ;[before, started] = [after, now]
  }
}

function totalOf(
  rows: readonly TopRow[],
  calls: Map<string, number> | undefined,
  seconds: number,
  { databases }: TopOptions,
): number | null {
  if (calls !== undefined) return round(sumOf(calls.values()) / seconds)
  return databases === undefined ? null : round(sumOf(rows.map(({ perSecond }) => perSecond)))
}

interface Seen extends Omit<TopRow, "perSecond"> {
  count: number
}

function note(
  line: string,
  find: PatternFinder,
  seen: Map<string, Seen>,
  { databases, ignores, onCommand }: TopOptions,
): void {
  const entry = readMonitorLine(line)
  if (!entry || databases?.includes(entry.db) === false) return
  const command = (entry.command[0] as string).toLowerCase()
  if (isOwnCommand(command)) return
  const key = firstKey(entry.command)
  const passing = {
    db: entry.db,
    script: entry.script,
    name: command,
    key: key === undefined ? undefined : String(key),
  }
  if (ignores?.(passing)) return
  onCommand?.(passing)
  const found = key === undefined ? undefined : find(String(key), entry.db)
  const what = key === undefined ? "no key" : found ? "key" : "unknown key"
  const id = `${command} ${what} ${found?.pattern ?? ""}`
  const known = seen.get(id)
  if (known) known.count++
  else seen.set(id, { command, pattern: found?.pattern ?? null, what, count: 1 })
}

function sampleOf(
  { ms, cut }: Monitored,
  seen: Map<string, Seen>,
  calls: Map<string, number> | undefined,
): TopFrame["sample"] {
  const count = sumOf([...seen.values()].map((row) => row.count))
  const expected = calls === undefined ? count : sumOf(calls.values())
  // The counts are taken a little before and after: a few extra calls do not matter.
  const missing = expected - count
  const lost = cut === undefined && missing > Math.max(20, 0.2 * expected) ? missing : 0
  return { seconds: round(ms / 1000), seen: count, lost, cut: cut ?? null }
}

/** Shares of the sample, scaled to the calls that the server counted. */
function rowsOf(
  seen: Map<string, Seen>,
  calls: Map<string, number> | undefined,
  seconds: number,
  sampled: number,
): TopRow[] {
  const rows = [...seen.values()]
  const ofCommand = new Map<string, number>()
  for (const { command, count } of rows) ofCommand.set(command, (ofCommand.get(command) ?? 0) + count)
  const shown = rows.map(({ command, pattern, what, count }): TopRow => {
    const exact = calls?.get(command)
    const rate =
      exact === undefined
        ? count / Math.max(sampled, 0.001)
        : (exact / seconds) * (count / (ofCommand.get(command) as number))
    return { command, pattern, what, perSecond: round(rate) }
  })
  const unseen = [...(calls ?? [])]
    .filter(([command]) => !ofCommand.has(command))
    .map(([command, count]): TopRow => ({
      command,
      pattern: null,
      what: "not sampled",
      perSecond: round(count / seconds),
    }))
  return [...shown, ...unseen].sort((a, b) => b.perSecond - a.perSecond)
}

async function until(time: number, signal: AbortSignal | undefined): Promise<void> {
  const left = time - performance.now()
  if (left > 0) await sleep(left, undefined, signal && { signal }).catch(() => undefined)
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, number) => sum + number, 0)
const round = (number: number): number => Math.round(number * 100) / 100
