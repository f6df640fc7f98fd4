/* Colours, as marks that only this process knows: so what is printed can be searched for
 * escape sequences, and those that were part of the data are distinguished from ours. */

import { randomBytes } from "node:crypto"
import type { Paint } from "../render/paint.ts"

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const satisfies Record<keyof Paint, readonly [number, number]>

const secret = randomBytes(8).toString("hex")
const mark = (number: number): string => `<${secret}:${number}>`
const marks = new RegExp(`<${secret}:(\\d+)>`, "g")

/** Colours with marks, or not at all. */
export const coloursOf = (isWanted: boolean): Paint =>
  Object.fromEntries(
    Object.entries(STYLES).map(([name, [open, close]]) => [
      name,
      (text: string) =>
        // The end of an inner colour must not end the outer one.
        isWanted ? mark(open) + text.replaceAll(mark(close), mark(close) + mark(open)) + mark(close) : text,
    ]),
  ) as unknown as Paint

/** Replaces the marks by what a terminal understands. */
export const withColours = (text: string): string => text.replace(marks, "\u001b[$1m")
