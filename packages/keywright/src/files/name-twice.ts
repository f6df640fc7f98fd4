/* JSON.parse takes the last of several fields of one name silently, and another reader of
 * the same file may take the first. */

const QUOTE = 34
const BACKSLASH = 92
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [91, 93, 123, 125, 44]

/** The first name that an object of a valid JSON text has twice. */
export function nameTwice(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let isName = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(text, at)
      const names = open.at(-1)
      if (isName && names !== undefined) {
        const name = JSON.parse(text.slice(at, end + 1)) as string
        if (names.has(name)) return name
        names.add(name)
      }
      isName = false
      at = end
    } else if (code === OPEN_OBJECT) {
      open.push(new Set())
      isName = true
    } else if (code === OPEN_LIST) open.push(undefined)
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) open.pop()
    else if (code === COMMA) isName = true
  }
  return undefined
}

/** Where the quote is that ends the string which begins here. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
}

/**
 * Whether one of its objects has a name twice; `value` is the text, parsed. Mostly that is counted: a quote before a colon
 * ends a name, and one that came twice is in `value` once.
 */
export function hasNameTwice(text: string, value: unknown): boolean {
  if (!text.includes("\\\\") && !/"\s+:/.test(text)) {
    try {
      if (namesIn(text) === namesOf(value)) return false
    } catch {
      // It nests too deeply for that.
    }
  }
  return nameTwice(text) !== undefined
}

/** In a text without spaces before colons, in which a quote behind a backslash is part of a string. */
function namesIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2))
    if (text.charCodeAt(at - 1) !== BACKSLASH) count++
  return count
}

function namesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const one of value) count += namesOf(one)
  else for (const name of Object.keys(value)) count += 1 + namesOf((value as Record<string, unknown>)[name])
  return count
}
