/* A line of the console as the words of a command, as redis-cli reads it: words are separated by
 * spaces; "…" knows \n \r \t \b \a \\ \" and \xff, '…' only \'. Each word is sent by its length, so
 * nothing in it can become another command. */

export interface ConsoleWord {
  readonly bytes: Buffer
  /** Where it begins in the line. */
  readonly from: number
}

export type SplitLine = { readonly words: readonly ConsoleWord[] } | { readonly problem: string }

const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, a: 7 }

export function splitWords(line: string): SplitLine {
  const words: ConsoleWord[] = []
  let at = 0
  while (at < line.length) {
    if (/\s/.test(line[at]!)) {
      at++
      continue
    }
    const read = readWord(line, at)
    if (typeof read === "string") return { problem: read }
    words.push({ bytes: read.bytes, from: at })
    at = read.end
  }
  return { words }
}

function readWord(line: string, from: number): { readonly bytes: Buffer; readonly end: number } | string {
  const quote = line[from]
  if (quote !== '"' && quote !== "'") {
    const end = from + /^\S+/.exec(line.slice(from))![0].length
    const text = line.slice(from, end)
    // redis-cli takes them together; here that is more likely a mistake.
    if (/["']/.test(text)) return "a quote in the middle of a word"
    return { bytes: Buffer.from(text), end }
  }
  const parts: Buffer[] = []
  for (let at = from + 1; at < line.length;) {
    const char = line[at]!
    if (char === quote) {
      const end = at + 1
      return end < line.length && !/\s/.test(line[end]!)
        ? "a quoted word must be followed by a space"
        : { bytes: Buffer.concat(parts), end }
    }
    const escape = char === "\\" ? escaped(line, at, quote) : undefined
    const point = String.fromCodePoint(line.codePointAt(at)!)
    parts.push(escape?.bytes ?? Buffer.from(point))
    at += escape?.length ?? point.length
  }
  return "a quote is not closed"
}

function escaped(
  line: string,
  at: number,
  quote: string,
): { readonly bytes: Buffer; readonly length: number } | undefined {
  const next = line[at + 1]
  if (quote === "'") return next === "'" ? { bytes: Buffer.from("'"), length: 2 } : undefined
  const hex = /^\\x([0-9a-f]{2})/i.exec(line.slice(at, at + 4))?.[1]
  if (hex !== undefined) return { bytes: Buffer.from(hex, "hex"), length: 4 }
  if (next === undefined) return undefined
  const code = ESCAPES[next]
  return { bytes: code === undefined ? Buffer.from(next) : Buffer.of(code), length: 2 }
}
