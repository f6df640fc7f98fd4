/* A line of a hand-written page with its placeholders masked, so that it can be cut into
 * words: {x}, <x>, {1,2,3,or 4} and ••• each become one character, which means "anything"
 * and can be replaced by the original for messages. */

const FIRST = 0xe000
const MOST_PLACEHOLDERS = 0x1000
/** Characters of a line that are read: nobody writes more by hand, and what takes lines apart compares words in pairs. */
const LONGEST_LINE = 20_000

export interface MaskedLine {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** As it was written. */
  readonly raw: string
  /** Inside of a fenced block. */
  readonly code: boolean
  restore(part: string): string
}

export const isAnything = (char: string): boolean => {
  const code = char.charCodeAt(0)
  return code >= FIRST && code < FIRST + MOST_PLACEHOLDERS
}

export const anything = /[\ue000-\uefff]/g

export function maskedLines(page: string): MaskedLine[] {
  let code = false
  return page.split(/\r?\n/).map((line, i) => {
    const raw = line.slice(0, LONGEST_LINE)
    if (/^\s*(```|~~~)/.test(raw)) code = !code
    const originals: string[] = []
    const mask = (found: string): string => {
      if (originals.length === MOST_PLACEHOLDERS) return "?"
      originals.push(found)
      return String.fromCharCode(FIRST + originals.length - 1)
    }
    // Only the innermost: documents nest, placeholders do not.
    const text = raw.replace(/[\ue000-\uefff]/g, "?").replace(/\{[^{}\n]*\}|<[^<>\n]+>|•+/g, mask)
    const restore = (part: string) => part.replace(anything, (char) => originals[char.charCodeAt(0) - FIRST] ?? char)
    return { number: i + 1, text, raw, code, restore }
  })
}
