/* A key taken apart where its writer may have put it together.
 *
 * One separator is the primary one: the first of these that the key has outside of dates,
 * UUIDs and e-mail addresses. Inside a segment every other sign is a weak separator:
 * `123_liked_posts` has the template `{int}_liked_posts`. Braces are a hash tag, and
 * their content is a separate segment. */

import { type Atom, atomOf, isRandom, isTechnical } from "../values/atoms.ts"

export interface KeySegment {
  /** What precedes it: the separator, or nothing. */
  readonly sep: string
  readonly text: string
  readonly kind: "atom" | "word" | "composite" | "tag"
  readonly atom: Atom
  /** For a composite: literals at even places, atoms at odd ones. */
  readonly pieces: readonly string[]
  /** The same with `{int}` in place of texts. */
  readonly template: string
}

export const PRIMARY = [":", "|", "/", "#", ";", ",", "=", "&", "~", "!", "@"]
/** What is one thing, whatever signs it contains; each at a beginning or after a sign, except UUIDs. */
const SPANNING = new RegExp(
  [
    String.raw`[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![A-Za-z0-9])`,
    `(?<![A-Za-z0-9])(?:${[
      String.raw`[a-z][a-z+]{1,9}://\S+`,
      String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?`,
      String.raw`(?:19|20)\d\d(?:-\d\d(?:-\d\d)?(?!-?\d)|([-/._])\d{1,2}\1\d{1,2}|-[WQH]\d{1,2})`,
      String.raw`(?:\d{1,3}\.){3}\d{1,3}`,
      String.raw`(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}`,
      String.raw`(?:[23][0-9a-fA-F]{3}|f[cde][0-9a-fA-F]{2})(?::[0-9a-fA-F]{1,4}){1,6}::?[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){0,5}`,
      String.raw`[a-z]{2}[-_][A-Z]{2}`,
      String.raw`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`,
    ].join("|")})(?![A-Za-z0-9])`,
  ].join("|"),
  "g",
)
const MAYBE_SPANNING = /[-.@/_]|:[0-9a-fA-F]{0,4}:/

/** A longer key is a name followed by some text, which is not analysed; and so is one of more segments. */
const LONGEST = 1000
const MOST_SEGMENTS = 32

function longSegments(key: string): readonly KeySegment[] {
  const at = key.slice(0, 64).search(/[:|/#]/)
  const rest = (sep: string, text: string): KeySegment => ({
    sep,
    text,
    kind: "atom",
    atom: "other",
    pieces: [],
    template: "{other}",
  })
  return at < 1 ? [rest("", key)] : [segment("", key.slice(0, at), false), rest(key[at]!, key.slice(at + 1))]
}

export function segmentsOf(key: string): readonly KeySegment[] {
  if (key.length > LONGEST) return longSegments(key)
  const segments = allSegments(key)
  return segments.length > MOST_SEGMENTS ? longSegments(key) : segments
}

function allSegments(key: string): readonly KeySegment[] {
  const open = key.indexOf("{")
  const close = open < 0 ? -1 : key.indexOf("}", open + 2)
  if (close < 0 || key.slice(close + 1).includes("{") || /[{}]/.test(key.slice(open + 1, close))) return split(key, "")
  const head = key.slice(0, open)
  const tail = key.slice(close + 1)
  const before = head === "" ? [] : split(head, "")
  const sep = before.at(-1)?.text === "" ? before.at(-1)!.sep : ""
  const text = key.slice(open + 1, close)
  const tag: KeySegment = { sep, text, kind: "tag", atom: atomOf(text), pieces: [], template: "{{}}" }
  return [...(sep === "" ? before : before.slice(0, -1)), tag, ...(tail === "" ? [] : split(tail, "", true))]
}

/** `after`: it follows a hash tag, so it begins with a separator. */
function split(text: string, sep: string, after = false): KeySegment[] {
  if (after && /^[-_.]./.test(text)) return split(text.slice(1), text[0]!)
  const spans = spansIn(text)
  const inside = (at: number) => spans.some(({ start, end }) => at > start && at < end)
  const primary = PRIMARY.find((char) => {
    for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) if (!inside(at)) return true
    return false
  })
  if (primary === undefined) return [segment(sep, text, spans.length > 0)]
  const found: KeySegment[] = []
  let [start, before] = [0, sep]
  for (let at = text.indexOf(primary); at >= 0; at = text.indexOf(primary, at + 1)) {
    if (inside(at)) continue
    if (!(after && at === 0)) found.push(segment(before, text.slice(start, at), spans.length > 0))
    ;[start, before] = [at + 1, primary]
  }
  found.push(segment(before, text.slice(start), spans.length > 0))
  return found
}

/** The ranges that form one unit. A unit followed by a character that it contains itself could not be found again. */
function spansIn(text: string): { readonly start: number; readonly end: number }[] {
  if (!MAYBE_SPANNING.test(text)) return []
  return [...text.matchAll(SPANNING)].flatMap(({ 0: found, index }) => {
    const end = index + found.length
    return end < text.length && found.includes(text[end]!) ? [] : [{ start: index, end }]
  })
}

/** A UUID, or behind a word and a sign a digest. */
const GLUED = /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$|[a-z]{3}[\w.-]*[-_.][0-9a-f]{24,}$/
/** Letters and signs, such as `req/ip`, `exists?` and `App\\Jobs`. */
const NAME = /^[\p{L}_[(][^\d\s{}@]*[\p{L}?!_$\])]$/u

function segment(sep: string, text: string, spanning: boolean): KeySegment {
  const atom = atomOf(text)
  const plain = { sep, text, atom, pieces: [], template: text }
  const isWord = atom === "word" ? !hasRandom(text) : atom === "other" && NAME.test(text)
  if (isWord || atom === "empty" || isTechnical(text)) return { ...plain, kind: "word" }
  const isComposed = atom === "slug" || atom === "mixed" || atom === "other" || atom === "word"
  if (!isComposed && !(atom === "token" && GLUED.test(text))) return { ...plain, kind: "atom", template: `{${atom}}` }
  const pieces = piecesOf(text, spanning)
  if (pieces.length === 1) return { ...plain, kind: "atom", template: `{${atom}}` }
  const template = pieces.map((piece, i) => (i % 2 === 0 ? piece : `{${atomOf(piece)}}`)).join("")
  return { sep, text, atom, kind: "composite", pieces, template }
}

/** A word, and after a separator an unpronounceable text: `session_kPOhRoyvhSmgvKstvWVDBuxT`. */
const hasRandom = (text: string): boolean => text.length > 20 && text.split(/[-_.]/).some(isRandom)

/** `recent_posts_for_category3` → `["recent_posts_for_category", "3", ""]`; one piece when there is nothing but literals. */
function piecesOf(text: string, spanning: boolean): string[] {
  const pieces = [""]
  const literal = (part: string) => (pieces[pieces.length - 1] += part)
  const atom = (part: string) => void pieces.push(part, "")
  const rest = (part: string) => {
    for (const run of part.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? []) {
      const kind = atomOf(run)
      if (kind === "word" || kind === "other" || kind === "slug") literal(run)
      else if (isTechnical(run)) literal(run)
      else if (kind !== "mixed") atom(run)
      else {
        const [, word, number] = /^(\p{L}{2,})(\d+)$/u.exec(run) ?? []
        if (number === undefined) atom(run)
        else {
          literal(word!)
          atom(number)
        }
      }
    }
  }
  let at = 0
  for (const { start, end } of spanning ? spansIn(text) : []) {
    rest(text.slice(at, start))
    atom(text.slice(start, end))
    at = end
  }
  rest(text.slice(at))
  // Two adjacent atoms cannot be separated.
  return pieces.some((piece, i) => i % 2 === 0 && i > 0 && i < pieces.length - 1 && piece === "") ? [text] : pieces
}
