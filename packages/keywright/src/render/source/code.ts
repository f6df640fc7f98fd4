/* Source text that breaks its lines as a formatter would: a block is on one line when it
 * fits, otherwise each of its items has its own line. */

import { oneLine } from "../printable.ts"

export type Code = string | Block

export interface Block {
  readonly open: string
  readonly items: readonly BlockItem[]
  readonly close: string
  /** A space inside the braces when it is on one line. */
  readonly spaced?: boolean
}

export interface BlockItem {
  /** `"name: "` */
  readonly label?: string
  readonly code: Code
  /** Lines above it. */
  readonly comments?: readonly string[]
}

const WIDTH = 120

export const block = (open: string, items: readonly BlockItem[], close: string): Block => ({ open, items, close })

/** `{ a: 1 }` */
export const object = (items: readonly BlockItem[]): Block => ({ open: "{", items, close: "}", spaced: true })

const itemsOf = (codes: readonly Code[]): BlockItem[] => codes.map((code) => ({ code }))

/** `[a, b]` */
export const list = (codes: readonly Code[]): Block => block("[", itemsOf(codes), "]")

/** A list of values of JSON. */
export const quoted = (values: readonly unknown[]): Block => list(values.map((value) => JSON.stringify(value)))

/** A call with these arguments. */
export const call = (name: string, ...codes: readonly Code[]): Block => block(`${name}(`, itemsOf(codes), ")")

/** The last argument of a call; none where it would be empty. */
export const maybeObject = (items: readonly BlockItem[]): Block[] => (items.length === 0 ? [] : [object(items)])

/** The name of a property, quoted where it has to be. */
export const property = (name: string): string => {
  if (name === "__proto__") return '["__proto__"]'
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

/** `"my shop"` → `"myShop"`: a name for a constant. What data is called is code here, and could be any. */
export const identifier = (text: string, otherwise: string): string => {
  const joined = text.replace(/[^\w$]+([\w$])?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? "")
  return /^[A-Za-z_$]/.test(joined) ? joined : otherwise + joined
}

export const field = (name: string, code: Code, comments?: readonly string[]): BlockItem => ({
  label: `${property(name)}: `,
  code,
  ...(comments !== undefined && comments.length > 0 && { comments }),
})

/** Values of JSON by their names, without those that are undefined. */
export const jsonFields = (values: object): BlockItem[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [field(name, JSON.stringify(value))]))

/** The text of some code that begins in this column. */
export function print(code: Code, indent = 0, column = indent): string {
  if (typeof code === "string") return code
  const flat = flatten(code)
  if (flat !== undefined && column + flat.length < WIDTH) return flat
  const { open, items, close } = code
  if (items.length === 0) return open + close
  // Arguments before a last object stay on the line of the call: `map("login:", token, {`.
  const hug = hugged(code, indent, column)
  if (hug !== undefined) return hug
  const inner = " ".repeat(indent + 2)
  const lines = items.map(({ label = "", code: item, comments = [] }) => {
    const above = comments.map((comment) => `${inner}// ${oneLine(comment)}\n`).join("")
    return `${above}${inner}${label}${print(item, indent + 2, indent + 2 + label.length)},`
  })
  return `${open}\n${lines.join("\n")}\n${" ".repeat(indent)}${close}`
}

function hugged({ open, items, close }: Block, indent: number, column: number): string | undefined {
  const last = items.at(-1)!.code
  if (!open.endsWith("(") || typeof last === "string" || last.open !== "{") return undefined
  const before = items.slice(0, -1).map(({ code }) => flatten(code))
  if (before.some((text) => text === undefined)) return undefined
  const head = `${open}${before.map((text) => `${text}, `).join("")}`
  return column + head.length + 1 < WIDTH
    ? `${head}${print({ ...last, spaced: false }, indent, WIDTH)}${close}`
    : undefined
}

/** On one line; undefined when it contains a comment. */
function flatten(code: Code): string | undefined {
  if (typeof code === "string") return code.includes("\n") ? undefined : code
  const parts: string[] = []
  for (const { label = "", code: item, comments } of code.items) {
    const text = comments === undefined ? flatten(item) : undefined
    if (text === undefined) return undefined
    parts.push(label + text)
  }
  const space = code.spaced && parts.length > 0 ? " " : ""
  return `${code.open}${space}${parts.join(", ")}${space}${code.close}`
}
