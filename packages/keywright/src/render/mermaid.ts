import type { Keyspace } from "../schema/keyspace.ts"
import { docPage } from "./doc-model.ts"

/** The entities and their relations as a Mermaid diagram. */
export function mermaid(keyspace: Keyspace): string {
  const { sections, relations } = docPage(keyspace)
  const entities = sections.filter((section) => section.kind === "entity")
  const boxes = entities.map(({ name, keys }) => {
    const fields = keys.find((key) => key.role === "the record")?.parts ?? []
    return `  ${name} {\n${fields.map((field) => `    ${word(field.type)} ${field.name}\n`).join("")}  }\n`
  })
  // An inverse says the same again: each pair is drawn once, from the side that has many.
  const drawn = new Set<string>()
  const lines = relations.flatMap(({ entity, name, target, many, via }) => {
    const pair =
      "field" in via
        ? `${target} ${entity} ${via.field}`
        : `${entity} ${target} ${"index" in via ? via.index : via.set}`
    if (drawn.has(`${entity} ${target}`) || drawn.has(`${target} ${entity}`) || drawn.has(pair)) return []
    drawn.add(`${entity} ${target}`)
    const through = "set" in via
    const arrow = "field" in via ? "}o--||" : through ? "}o--o{" : many ? "||--o{" : "||--o|"
    return [`  ${entity} ${arrow} ${target} : ${name}\n`]
  })
  return `erDiagram\n${boxes.join("")}${lines.join("")}`
}

const word = (type: string): string => type.replace(/[^\w-]+/g, "_").replace(/^_+|_+$/g, "") || "value"
