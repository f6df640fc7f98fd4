/* Text of any origin made safe for a terminal, and for whatever else shows it: what would
 * move the cursor, turn the direction of writing or not be seen at all is shown by its
 * number instead. The command line's output goes through here, all of it (cli/output.ts). */

import { countText } from "./quantity.ts"
import { charName, unseen } from "./unseen.ts"

const allUnseen = new RegExp(unseen, "gu")
/** Those of them that act on a terminal or on the order of what is read, or hide a text; without line ends and tabs. */
const acting =
  /(?![\n\t])\p{Cc}|[\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Text that comes from a server, a file or a call: it stays on its line. */
export const oneLine = (text: string): string => text.replace(allUnseen, charName)

/** Text of several lines whose parts are known to be safe, or that is a document: its line ends stay. */
export const withoutControls = (text: string): string => text.replace(acting, charName)

/** For `JSON.stringify`: an integer of any size as its digits. */
export const jsonable = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

/** A text that is too long to be read is cut, and says how long it is. */
export const cutText = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest)}… (${countText(text.length)} characters; --json shows all)`

/** Longer than any name, and shorter than what fills a screen. */
const LONGEST = 1000

/** Data whose texts, names included, are all made safe and cut; what renders it need not think of it. */
export const printable = <T>(value: T): T => eachText(value, (text) => oneLine(cutText(text, LONGEST)))

/** Data with every text of it, names included, as `change` makes it; `of` is the name of the field that it is in. */
export function eachText<T>(value: T, change: (text: string, of: string) => string, of = ""): T {
  const made = <U>(one: U, name = of): U => eachText(one, change, name)
  if (typeof value === "string") return change(value, of) as T
  if (Array.isArray(value)) return value.map((one: unknown) => made(one)) as T
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [made(key), made(one)])) as T
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [made(name), made(one, name)])) as T
}

const isPlain = (value: unknown): value is object => {
  if (typeof value !== "object" || value === null) return false
  const parent: unknown = Object.getPrototypeOf(value)
  return parent === Object.prototype || parent === null
}
