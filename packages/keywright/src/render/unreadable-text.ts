/* Keys that could not be read, for people: the sum with the server's reason, then the patterns. */

import type { UnreadableKeys } from "../inspect/model/unreadable.ts"
import type { RefusedRead } from "../inspect/walk/refusal.ts"
import { counted, countText } from "./quantity.ts"

const MOST = 5

/** Lines; none when all were read. */
export function unreadableText(unreadable: readonly UnreadableKeys[]): string[] {
  if (unreadable.length === 0) return []
  const total = unreadable.reduce((sum, { keys }) => sum + keys, 0)
  const reasons = new Set(unreadable.map(({ reason }) => reason))
  const lines = unreadable.slice(0, MOST).map(({ db, keys, pattern, example, reason }) => {
    const place = db === 0 ? "" : `[${db}] `
    return `  ${countText(keys)} × ${place}${pattern}, for example ${example}${reasons.size > 1 ? `: ${reason}` : ""}`
  })
  const left = unreadable.length - lines.length
  return [
    `${counted(total, "key")} could not be read: ${unreadable[0]!.reason}`,
    ...lines,
    ...(left > 0 ? [`  … and of ${countText(left)} more patterns`] : []),
  ]
}

/** A line for each command that was refused. */
export const refusedText = (refused: readonly RefusedRead[]): string[] =>
  refused.map(({ command, reason }) => `${command.padEnd(9)} could not be read: ${reason}`)

/** Whether this command was refused: what it would have said is not known. */
export const isRefused = (of: { readonly unreadable?: readonly RefusedRead[] }, name: string): boolean =>
  of.unreadable?.some(({ command }) => command === name) === true
