/* Commands that are printed for people to paste into a shell, with words in them that come from a
 * server, a file or a call: each such word stays one word, in sh, bash, zsh and fish alike. */

/** The output is cut at some length, and a quote that is cut off would be an open one. */
const LONGEST = 200
const PLAIN = /^[\w./:@][\w./:@=+,#-]*$/
/** Letters, marks, numbers, punctuation, symbols and spaces: all that is printed as it is. */
const PRINTED = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u

/** A command whose inserted words are quoted; undefined where one of them cannot be, or is not what it looks like. */
export function shellLine(texts: TemplateStringsArray, ...words: readonly string[]): string | undefined {
  const quoted = words.map(shellWord)
  return quoted.includes(undefined) ? undefined : String.raw({ raw: texts }, ...quoted)
}

/** One word for a shell; undefined where no way to write it means the same everywhere. */
function shellWord(text: string): string | undefined {
  if (PLAIN.test(text) && text.length <= LONGEST) return text
  // Fish takes a backslash before a quote for an escape, the others do not.
  const isEscape = text.endsWith("\\") || (text.includes("\\") && text.includes("'"))
  const isOption = text.startsWith("-")
  if (text.length > LONGEST || isEscape || isOption || !PRINTED.test(text)) return undefined
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
