/* SQL as the counters see it: statements, and which kind each is (CDB-11, CDB-12). What
 * is in quotes or comments neither ends a statement nor names its kind; leading comments
 * and parentheses are skipped. It is not a parser: WITH is "other", as in the origin. */

import { VERBS, type Verb } from "../ids.ts"

export type StatementCounts = Partial<Record<Verb, number>>

const KINDS: ReadonlySet<string> = new Set(VERBS)
/** Where something begins in which a semicolon does not end the statement. */
const OPENING = /['"]|--|\/\*|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|;/g
const WORD = /[A-Za-z_\u0080-\uffff][\w\u0080-\uffff$]*/y

/** How many statements there are of each kind; none of a text that says nothing. */
export function kindsOf(sql: string): StatementCounts {
  const counts: StatementCounts = {}
  for (const said of statements(sql)) {
    const kind = kindOf(said)
    if (kind !== undefined) counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

/** The statements, with comments replaced by a space. */
function* statements(sql: string): Generator<string> {
  let [said, at] = ["", 0]
  OPENING.lastIndex = 0
  for (let found = OPENING.exec(sql); found !== null; found = OPENING.exec(sql)) {
    const [mark] = found
    const { index } = found
    if (mark === ";") {
      yield said + sql.slice(at, index)
      ;[said, at] = ["", index + 1]
      continue
    }
    if (mark.startsWith("$") && isInWord(sql, index)) {
      OPENING.lastIndex = index + 1
      continue
    }
    const end = endOf(sql, mark, index)
    const isComment = mark === "--" || mark === "/*"
    said += sql.slice(at, isComment ? index : end) + (isComment ? " " : "")
    at = OPENING.lastIndex = end
  }
  yield said + sql.slice(at)
}

/** Behind what begins at `index`; the end of the text when it does not end. */
function endOf(sql: string, mark: string, index: number): number {
  const after = (text: string, from: number) => {
    const found = sql.indexOf(text, from)
    return found < 0 ? sql.length : found + text.length
  }
  if (mark === "--") return after("\n", index + 2)
  if (mark === "/*") return endOfComment(sql, index)
  // Two quotes in a row mean one: the second opens the rest of the same text.
  if (mark === "'" && /[eE]/.test(sql[index - 1] ?? "") && !isInWord(sql, index - 1)) return endOfEscaped(sql, index)
  return after(mark, index + mark.length)
}

/** Comments nest in PostgreSQL. */
function endOfComment(sql: string, index: number): number {
  const edge = /\/\*|\*\//g
  edge.lastIndex = index + 2
  let depth = 1
  for (let found = edge.exec(sql); found !== null; found = edge.exec(sql)) {
    depth += found[0] === "/*" ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
  return sql.length
}

/** E'…', where a backslash takes the next character with it. */
function endOfEscaped(sql: string, index: number): number {
  const quote = /\\[^]|'/g
  quote.lastIndex = index + 1
  for (let found = quote.exec(sql); found !== null; found = quote.exec(sql))
    if (found[0] === "'") return quote.lastIndex
  return sql.length
}

const isInWord = (sql: string, index: number): boolean => /[\w\u0080-\uffff$]/.test(sql[index - 1] ?? "")

/** Undefined for an empty statement. */
function kindOf(statement: string): Verb | undefined {
  if (statement.trim() === "") return undefined
  WORD.lastIndex = /^[\s(]*/.exec(statement)![0].length
  const word = WORD.exec(statement)?.[0].toLowerCase() ?? ""
  return KINDS.has(word) ? (word as Verb) : "other"
}
