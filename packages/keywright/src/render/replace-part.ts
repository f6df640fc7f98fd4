const BEGIN = "<!-- keywright:begin -->"
const END = "<!-- keywright:end -->"

/** The same in a key or a description: the next call would take it for the end of the part. */
const MARKER = /<!-- keywright:(begin|end) -->/g

/** The text with the part between the markers replaced; undefined when it has none. */
export function replacePart(text: string, part: string): string | undefined {
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (start < 0 || end < start) return undefined
  return `${text.slice(0, start + BEGIN.length)}\n\n${part.trim().replace(MARKER, "<!-- keywright: $1 -->")}\n\n${text.slice(end)}`
}
