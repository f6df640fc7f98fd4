/* A difference of two schemas for people: each change with who breaks, and at the end what to do
 * in which order. */

import type { Advice } from "../change/diff/advice.ts"
import type { Change } from "../change/diff/change.ts"
import type { Difference } from "../change/diff/diff.ts"
import type { Level, RolloutOrder, Verdict } from "../change/diff/verdict.ts"
import { shellLine } from "../errors/shell-line.ts"
import type { Paint } from "./paint.ts"
import { counted } from "./quantity.ts"

export interface ShownDifference extends Difference {
  readonly before: string
  readonly after: string
  /** What to do about each change. */
  readonly advice: readonly (readonly Advice[])[]
}

export function diffText(shown: ShownDifference, paint: Paint): string {
  const { changes, questions, before, after } = shown
  const asked = questions.map((one) => `${paint.yellow("?")} ${renameQuestion(one)}`)
  if (changes.length === 0) return paint.green(`${before} → ${after}: no change that matters`)
  const parts = changes.map((change, i) => changeText(change, shown.advice[i] ?? [], paint))
  return [...parts, ...asked, totalText(shown, paint)].join("\n\n")
}

export function renameQuestion({ before, after }: ShownDifference["questions"][number]): string {
  const option = shellLine`, or --rename ${`${before}=${after}`}` ?? ""
  return `was ${before} renamed to ${after}? Say so with was: ${JSON.stringify(before)}${option}`
}

const shade = (level: Level, paint: Paint) =>
  level === "harmless" ? paint.green : level === "data" ? paint.cyan : level === "silent" ? paint.red : paint.yellow

function changeText(change: Change, advice: readonly Advice[], paint: Paint): string {
  const { code, path, level, what, title, why, order, keys, misfits } = change
  const head = `${paint.bold(shade(level, paint)(level))} ${paint.bold(code)}  ${path}: ${title} ${paint.dim(`(${what})`)}`
  const seen = keys === undefined ? [] : [line("data", dataText(keys, misfits), paint)]
  if (level === "harmless") return [head, ...seen].join("\n")
  return [
    head,
    line("why", why, paint),
    line("who", whoText(change), paint),
    ...seen,
    line("order", orderText(order), paint),
    ...advice.map((one) => line("do", adviceText(one), paint)),
  ].join("\n")
}

const line = (name: string, text: string, paint: Paint): string => `  ${paint.dim(name.padEnd(6))}${text}`

/** `"4 keys, 2 of them do not fit"` */
export const dataText = (keys: number, misfits: number | undefined): string =>
  `${counted(keys, "key")}${misfits === undefined ? "" : misfits === 0 ? ", all of which fit" : `, ${misfits} of which do not fit`}`

const words: Readonly<Record<Verdict, string>> = {
  works: "work",
  fails: "fail",
  silent: "are silently wrong",
  "n/a": "are not concerned",
}

/** `"old readers fail; new readers and new writers work"` */
export function whoText(change: Change): string {
  const who = { oldReader: "old readers", newReader: "new readers", oldWriter: "old writers", newWriter: "new writers" }
  const by = (verdict: Verdict) =>
    Object.entries(who).flatMap(([name, text]) => (change[name as keyof typeof who] === verdict ? [text] : []))
  return (["silent", "fails", "works"] as const)
    .map((verdict) => [by(verdict), words[verdict]] as const)
    .filter(([names]) => names.length > 0)
    .map(([names, verb]) => `${listed(names)} ${verb}`)
    .join("; ")
}

/** `"a, b and c"` */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

const orders: Readonly<Record<RolloutOrder, string>> = {
  any: "in any order",
  "readers first": "readers first: replace everything that reads, then what writes",
  "writers first": "writers first: replace everything that writes, take care of the data, then replace what reads",
  "all at once": "all at once: stop the old programs, take care of the data, start the new ones",
}

export const orderText = (order: RolloutOrder): string => orders[order]

/** `"before: keywright audit --url …  (shows what does not fit)"` */
const adviceText = ({ when, command, text }: Advice): string =>
  command === undefined ? `${when}: ${text}` : `${when}: ${command}  (${text})`

function totalText({ changes, level, order }: ShownDifference, paint: Paint): string {
  const worst = paint.bold(shade(level, paint)(level))
  const together = changes.length > 1 ? `together they are as bad as the worst of them, ${worst}` : `it is ${worst}`
  return `${counted(changes.length, "change")}; ${together}. Deploy ${orderText(order)}.${differentOrders(changes)}`
}

/** Changes that contradict each other in one deployment may be harmless in two. */
export const differentOrders = (changes: readonly Change[]): string =>
  new Set(changes.flatMap(({ order }) => (order === "any" ? [] : [order]))).size > 1
    ? " They need different orders: deployed one by one, each can follow its own."
    : ""
