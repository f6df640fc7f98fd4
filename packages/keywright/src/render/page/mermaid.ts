import type { Keyspace } from "../../schema/keyspace.ts"
import { diagramOf, type LineEnd } from "./diagram.ts"

const LEFT: Readonly<Record<LineEnd, string>> = { one: "||", maybe: "|o", many: "}o" }
const RIGHT: Readonly<Record<LineEnd, string>> = { one: "||", maybe: "o|", many: "o{" }

/** What is related to what, as a Mermaid diagram. */
export function mermaid(keyspace: Keyspace): string {
  const { boxes, lines } = diagramOf(keyspace)
  const drawn = boxes.map(({ name, rows }) =>
    rows.length === 0
      ? `  ${word(name)}\n`
      : `  ${word(name)} {\n${rows.map((row) => `    ${word(row.type)} ${word(row.name)}\n`).join("")}  }\n`,
  )
  const joined = lines.map(
    ({ from, to, label, ends: [near, far] }) =>
      `  ${word(from)} ${LEFT[near]}--${RIGHT[far]} ${word(to)} : ${JSON.stringify(label)}\n`,
  )
  return `erDiagram\n${drawn.join("")}${joined.join("")}`
}

const word = (text: string): string => text.replace(/[^\w-]+/g, "_").replace(/^_+|_+$/g, "") || "value"
