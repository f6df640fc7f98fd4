/* What a copy did, for people. */

import type { CopyResult } from "../change/transfer/copy-keys.ts"
import type { Paint } from "./paint.ts"
import { countText, counted } from "./quantity.ts"

export function copyText({ keys, rounds, patterns, verified, pausedMs, resumed }: CopyResult, paint: Paint): string {
  const { bold, dim, green, red } = paint
  const width = Math.max(0, ...Object.keys(patterns).map((name) => name.length))
  const lines = Object.entries(patterns).map(([name, { from, to, same }]) =>
    same
      ? `  ${green("✓")} ${name.padEnd(width)}  ${countText(from)}`
      : `  ${red("✗")} ${name.padEnd(width)}  ${countText(from)} in the source, ${countText(to)} in the target, digests differ`,
  )
  const passes = rounds.map(
    ({ written, deleted }) => `${countText(written)}${deleted > 0 ? ` −${countText(deleted)}` : ""}`,
  )
  const notes = [
    `${counted(rounds.length, "round")}${dim(` (written: ${passes.join(", ")})`)}`,
    pausedMs !== undefined && `writers waited ${countText(pausedMs)} ms`,
    resumed && "continued",
  ].filter((note) => note !== false)
  const head = verified
    ? `${counted(keys, "key")} copied, both sides are equal`
    : `${counted(keys, "key")} copied, and the two sides differ`
  return [bold(head), ...lines, notes.join("; ")].join("\n")
}
