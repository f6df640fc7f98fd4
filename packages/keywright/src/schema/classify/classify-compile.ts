/* The tree written out as one function, which the engine compiles: comparisons
 * with constants instead of maps, loops without calls. Only literals of patterns,
 * quoted, and numbers get into the source. */

import { goesOn, isOf, widthAt, type TreeNode, type Tree } from "./classify-tree.ts"
import type { FindRow } from "./classify-walk.ts"

/** Undefined where code may not be generated (a Content-Security-Policy, or Node's flag). */
export function compiled(tree: Tree, spans: Int32Array): FindRow | undefined {
  const { source, tables } = write(tree)
  const matches = (row: number, key: string) => isOf(tree.rows[row]!, key)
  try {
    return new Function("spans", "tables", "matches", "widthAt", source)(spans, tables, matches, widthAt) as FindRow
  } catch {
    return undefined
  }
}

/** A position in the key: a variable, or none, plus a number of characters. */
interface KeyOffset {
  readonly base: string
  readonly plus: number
}

const behind = ({ base, plus }: KeyOffset, more = 0): string =>
  base === "" ? `${plus + more}` : plus + more === 0 ? base : `${base} + ${plus + more}`

// Larger subtrees become separate functions: the engine re-optimises a function whenever a key takes a path through it
// that no key took before, and does not optimise very large ones at all.
const mostInline = 1000
// Longer literals are compared by a call, shorter ones character by character.
const mostCompared = 24

function write({ rows, root }: Tree): { source: string; tables: Uint8Array[] } {
  const tables: Uint8Array[] = []
  const tableNames = new Map<string, string>()
  const functions: string[] = []
  // By node, so that none is written out again for each of the nodes above it.
  const functionNames = new Map<TreeNode, string>()
  let names = 0

  const tableOf = (special: Uint8Array): string => {
    const content = special.join("")
    let name = tableNames.get(content)
    if (name === undefined) tableNames.set(content, (name = `T${tables.push(special) - 1}`))
    return name
  }
  const found = (candidates: readonly number[]) =>
    candidates
      .map((row) => (rows[row]!.recheck ? `if (matches(${row}, key)) return ${row}\n` : `return ${row}\n`))
      .join("")

  /** Returns when the key is of a row below this node, else continues behind it. */
  const node = (of: TreeNode, at: KeyOffset, depth: number): string =>
    (of.ends.length === 0 ? "" : `if (n === ${behind(at)}) {\n${found(of.ends)}}\n`) +
    literals(of, at, depth) +
    (of.special.length === 0 ? "" : `{\n${segment(of, at, depth)}}\n`)

  function below(of: TreeNode, at: KeyOffset, depth: number): string {
    let name = functionNames.get(of)
    if (name === undefined) {
      const code = node(of, at, depth)
      if (code.length <= mostInline) return code
      functionNames.set(of, (name = `f${names++}`))
      functions.push(`function ${name}(key, n, from) {\n${node(of, { base: "from", plus: 0 }, depth)}return -1\n}\n`)
    }
    return `{\nconst row = ${name}(key, n, ${behind(at)})\nif (row >= 0) return row\n}\n`
  }

  function literals(of: TreeNode, at: KeyOffset, depth: number): string {
    const cases = [...of.literals].map(([code, { text, node: next }]) => {
      const complete = next.literals.size === 0 && next.special.length === 0
      const inner = below(next, { base: at.base, plus: at.plus + text.length }, depth)
      const test = `n ${complete ? "===" : ">="} ${behind(at, text.length)}${same(text, at)}`
      return `case ${code}:\nif (${test}) {\n${inner}}\nbreak\n`
    })
    return cases.length === 0
      ? ""
      : `if (n > ${behind(at)}) switch (key.charCodeAt(${behind(at)})) {\n${cases.join("")}}\n`
  }

  function segment(of: TreeNode, at: KeyOffset, depth: number): string {
    const i = `i${names++}`
    const c = `c${names++}`
    const start = behind(at)
    const span = (end: string) => `spans[${2 * depth}] = ${start}\nspans[${2 * depth + 1}] = ${end}\n`
    const rest = of.rest.length === 0 ? "" : span("n") + found(of.rest)
    const after = (next: TreeNode) => span(i) + below(next, { base: i, plus: 0 }, depth + 1)
    const skip = `const width = widthAt(key, ${i}, ${JSON.stringify(of.allow)})\nif (width === 0) break\n${i} += width - 1\n`
    const plain = `${c} < 128 && ${tableOf(of.special)}[${c}] === 0`

    if ([...of.stops.keys()].every((code) => code < 128 && !goesOn(of, code))) {
      const stops = [...of.stops].map(([code, next]) => `if (${c} === ${code}) {\n${after(next)}} else `)
      return `let ${i} = ${start}, ${c} = 0
for (; ${i} < n; ${i}++) {
${c} = key.charCodeAt(${i})
if (${plain}) continue
if (${c} < 128) break
${skip}}
if (${i} > ${start}) {
if (${i} === n) {\n${rest}} else ${stops.join("")}{}
}
`
    }
    const stops = [...of.stops].map(([code, next]) => {
      const first = `key.indexOf(${JSON.stringify(String.fromCharCode(code))}, ${start}) === ${i}`
      const on = goesOn(of, code)
      return `case ${code}: if (${i} > ${start} && ${first}) {\n${after(next)}}\n${on ? "break" : `break ${i}_`}\n`
    })
    return `${i}_: for (let ${i} = ${start}; ${i} <= n; ${i}++) {
if (${i} === n) {\nif (${i} > ${start}) {\n${rest}}\nbreak\n}
const ${c} = key.charCodeAt(${i})
if (${plain}) continue
switch (${c}) {\n${stops.join("")}}
${skip}}
`
  }

  const main = `return function classify(key) {\nconst n = key.length\n${node(root, { base: "", plus: 0 }, 0)}return -1\n}\n`
  const constants = tables.map((_, i) => `const T${i} = tables[${i}]\n`)
  return { source: `"use strict"\n${constants.join("")}${functions.join("")}${main}`, tables }
}

/** `&& key.charCodeAt(5) === 58 …` for all but the first character, which is known. */
function same(text: string, at: KeyOffset): string {
  if (text.length > mostCompared) return ` && key.startsWith(${JSON.stringify(text)}, ${behind(at)})`
  return Array.from(
    { length: text.length - 1 },
    (_, i) => ` && key.charCodeAt(${behind(at, i + 1)}) === ${text.charCodeAt(i + 1)}`,
  ).join("")
}
