/* Texts that are literals with something between them, at least one character each. Each
 * literal is taken as early as it can be: if that fails, so does every other way, and no
 * text, however long, makes it go back and forth as a regular expression would. */

/**
 * The texts between literals, the first of which begins the text and the last of which ends it; undefined when the text
 * does not have this form.
 */
export function gapsOf(text: string, literals: readonly string[]): string[] | undefined {
  const [first = "", last = ""] = [literals[0], literals.at(-1)]
  if (literals.length === 1) return text === first ? [] : undefined
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const gaps: string[] = []
  let at = first.length
  for (const literal of literals.slice(1, -1)) {
    const found = text.indexOf(literal, at + 1)
    if (found < 0) return undefined
    gaps.push(text.slice(at, found))
    at = found + literal.length
  }
  if (at + 1 + last.length > text.length) return undefined
  return [...gaps, text.slice(at, text.length - last.length)]
}

/** The literals of parts, of which undefined is a gap. */
export function literalsOf(parts: readonly (string | undefined)[]): string[] {
  const literals = [""]
  for (const part of parts) {
    if (part === undefined) literals.push("")
    else literals[literals.length - 1] += part
  }
  return literals
}

/** Whether a text is made so, where no gap has a colon in it. */
export function segmentMatcher(parts: readonly (string | undefined)[]): { test(text: string): boolean } {
  const segments: (string | undefined)[][] = [[]]
  for (const part of parts) {
    const [first, ...more] = part === undefined ? [undefined] : part.split(":")
    segments.at(-1)!.push(first)
    for (const literal of more) segments.push([literal])
  }
  const literals = segments.map(literalsOf)
  return {
    test: (text) => {
      const given = text.split(":")
      return given.length === literals.length && given.every((one, i) => gapsOf(one, literals[i]!) !== undefined)
    },
  }
}
