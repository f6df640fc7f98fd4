/* The frames of the last two minutes, by system, and what they say by pattern. */

import type { LiveFrame } from "../../api.ts"

export type Frames = Readonly<Record<string, readonly LiveFrame[]>>

const KEPT_MS = 120_000
const NOW_MS = 10_500

export function addFrame(frames: Frames, frame: LiveFrame): Frames {
  const oldest = Date.parse(frame.at) - KEPT_MS
  const own = (frames[frame.system] ?? []).filter(({ at }) => Date.parse(at) > oldest)
  return { ...frames, [frame.system]: [...own, frame] }
}

export interface Rate {
  readonly system: string
  /** The pattern, or a substitute for one: `"unknown keys"`. */
  readonly label: string
  /** For a link to its keys. */
  readonly name: string | undefined
  readonly points: readonly (readonly [ms: number, perSecond: number])[]
  /** Over the last ten seconds or so: what was before a view was left and opened again is not now. */
  readonly now: number
  /** Over all that is kept: what the order goes by. */
  readonly mean: number
  readonly commands: readonly { readonly command: string; readonly perSecond: number }[]
}

const labels = {
  "unknown key": "keys without a pattern",
  "no key": "commands without a key",
  "not sampled": "not sampled",
}

type RateRow = LiveFrame["rows"][number]

const labelOf = ({ pattern, what }: RateRow): string => (what === "key" ? (pattern ?? "?") : labels[what])

/** The busiest first. */
export function ratesOf(frames: Frames): Rate[] {
  return Object.entries(frames)
    .flatMap(([system, own]) => {
      const names = new Map(own.flatMap(({ rows }) => rows.map((row) => [labelOf(row), row.name] as const)))
      const latest = own.at(-1)
      return [...names].map(([label, name]): Rate => {
        const points = own.map(({ at, rows }) => [Date.parse(at), sumOf(rows, label)] as const)
        return {
          system,
          label,
          name,
          points,
          now: meanOf(points.filter(([ms]) => ms > points.at(-1)![0] - NOW_MS)),
          mean: meanOf(points),
          commands: (latest?.rows ?? [])
            .filter((row) => labelOf(row) === label)
            .map(({ command, perSecond }) => ({ command, perSecond })),
        }
      })
    })
    .filter(({ mean }) => mean >= 0.05)
    .sort((a, b) => b.mean - a.mean)
}

const meanOf = (points: Rate["points"]): number =>
  points.reduce((sum, [, rate]) => sum + rate, 0) / Math.max(1, points.length)

const sumOf = (rows: readonly RateRow[], label: string): number =>
  rows.reduce((sum, row) => (labelOf(row) === label ? sum + row.perSecond : sum), 0)
