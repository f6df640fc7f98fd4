/* Options that every walk over a server has, and its progress. */

import type { Progress, WalkOptions } from "../inspect/walk/walk.ts"
import { countText, secondsText } from "../render/quantity.ts"
import { usageRefused } from "../errors/cli.ts"
import { defined, type Invocation, numberOption, type Option, textOption } from "./command.ts"

export const TIMEOUT: Option = {
  flags: "--timeout <seconds>",
  about: "how long to wait for an answer before giving up (default: 20)",
  as: "number",
}

/** The --timeout option in milliseconds, if given. */
export function timeoutMs(call: Invocation): { readonly timeoutMs?: number } {
  const seconds = numberOption(call, "timeout")
  return seconds === undefined ? {} : { timeoutMs: seconds * 1000 }
}

export const WALK: readonly Option[] = [
  { flags: "--match <glob>", about: "only keys that match this glob, as in SCAN MATCH" },
  { flags: "--sample <share>", about: "look at this share of the keys, such as 0.1", as: "share" },
  { flags: "--rate <n>", about: "at most n keys per second", as: "number" },
  { flags: "--resume <place>", about: "continue where an interrupted walk stopped, with the token it printed" },
  TIMEOUT,
  {
    flags: "--db <n>",
    about: "a logical database, instead of those of the schema; may be given several times",
    many: true,
  },
]

/** Ctrl-C stops the walk; what was found until then is printed. */
export function walkOptions(
  call: Invocation,
  what = "",
): WalkOptions & { readonly databases?: readonly number[]; readonly timeoutMs?: number } {
  const [match, resume] = [textOption(call, "match"), textOption(call, "resume")]
  const [sample, rate] = [numberOption(call, "sample"), numberOption(call, "rate")]
  const databases =
    call.options["db"] === undefined ? undefined : ([call.options["db"]].flat() as string[]).map(databaseNumber)
  const stopping = new AbortController()
  process.once("SIGINT", () => stopping.abort(new Error("stopped by Ctrl-C")))
  return {
    ...defined({ match, resume, sample, rate, databases }),
    ...timeoutMs(call),
    signal: stopping.signal,
    onProgress: (progress) => call.out.progress(`${what}${progressText(progress)}`),
  }
}

export function databaseNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text))
    throw usageRefused(`${JSON.stringify(text)} is not the number of a database`, "For example: `--db 0`.")
  return Number(text)
}

function progressText({ db, keys, of, perSecond, secondsLeft }: Progress): string {
  const share = of === 0 ? 100 : Math.min(100, Math.round((100 * keys) / of))
  const left = secondsLeft === undefined ? "" : `, ${secondsText(secondsLeft)} left`
  return `db ${db}: ${countText(keys)} of ${countText(of)} keys (${share} %), ${countText(perSecond)}/s${left}`
}
