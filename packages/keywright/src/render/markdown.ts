/* A schema page as Markdown: what people used to write by hand. */

import type { Keyspace } from "../schema/keyspace.ts"
import { docPage, type DocField, type DocKey, type DocPage, type DocSection } from "./doc-model.ts"
import { mermaid } from "./mermaid.ts"

/** The page of a keyspace. `level` is that of its title. */
export function markdown(keyspace: Keyspace, { level = 1 }: { readonly level?: number } = {}): string {
  const page = docPage(keyspace)
  const title = "#".repeat(level)
  const parts = [
    `${title} ${page.title}`,
    page.doc,
    diagram(keyspace, page),
    ...page.sections.map((section) => sectionText(section, `${title}#`)),
    relationsText(page, `${title}#`),
    page.invariants.length === 0
      ? undefined
      : `${title}# What must hold\n\n${page.invariants.map((rule) => `- ${rule}`).join("\n")}`,
  ]
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`
}

function sectionText(section: DocSection, title: string): string {
  const intro = [
    section.doc,
    section.kind === "family" ? "*These keys live and die together: one deadline for all.*" : undefined,
  ]
  const text = intro.filter((line) => line !== undefined).join("\n\n")
  if (section.kind === "entity") return entityText(section, title, text)
  const keys = section.keys.map((key) => keyText(key, `${title}#`)).join("\n\n")
  return [`${title} ${section.title}`, text, keys].filter((part) => part !== "").join("\n\n")
}

/** An entity: its fields once, then its keys as a table. */
function entityText(section: DocSection, title: string, text: string): string {
  const record = section.keys.find((key) => key.role === "the record")
  const rows = section.keys.map((key) => `| ${code(key.pattern)} | ${key.type} | ${key.role ?? ""} | ${key.ttl} |`)
  return [
    `${title} ${section.title}`,
    text,
    `| key | type | holds | TTL |\n|---|---|---|---|\n${rows.join("\n")}`,
    record && fieldsTable(record.parts),
    record && `For example ${code(record.exampleKey)}.`,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n")
}

function keyText(key: DocKey, title: string): string {
  const facts = [
    `**${key.type}**${key.kind === key.type ? "" : ` (${key.kind})`}`,
    key.ttl,
    key.keep === undefined ? undefined : `the newest ${key.keep} are kept`,
    key.evictable ? "may be evicted" : undefined,
    key.when === undefined ? undefined : `only when ${key.when}`,
  ]
  return [
    `${title} ${code(key.pattern)}`,
    key.deprecated === undefined ? undefined : `> **Deprecated:** ${key.deprecated}`,
    key.doc,
    facts.filter((fact) => fact !== undefined).join(" · "),
    fieldsTable([...key.params.map((param) => ({ ...param, name: `{${param.name}}` })), ...key.parts]),
    `For example ${code(key.exampleKey)}.${who("Written by", key.writes)}${who("Read by", key.reads)}`,
  ]
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n")
}

const who = (verb: string, names: readonly string[]): string =>
  names.length === 0 ? "" : ` ${verb} ${names.join(", ")}.`

function fieldsTable(fields: readonly DocField[]): string {
  if (fields.length === 0) return ""
  const rows = fields.map(({ name, type, optional, secret }) => {
    const notes = [optional ? "optional" : "", secret ? "secret" : ""].filter((note) => note !== "").join(", ")
    return `| ${code(name)} | ${escapeCell(type)} | ${notes} |`
  })
  return `| part | value | |\n|---|---|---|\n${rows.join("\n")}`
}

function relationsText({ relations }: DocPage, title: string): string | undefined {
  if (relations.length === 0) return undefined
  const rows = relations.map(({ entity, name, target, many, via, doc }) => {
    const how =
      "field" in via
        ? `its ${code(via.field)}`
        : "index" in via
          ? `index ${code(via.index)} of ${target}`
          : `the set ${code(via.set)}`
    return `| ${entity}.${name} | ${many ? "many" : "one"} ${target} | ${how} | ${doc ?? ""} |`
  })
  return `${title} Relations\n\n| relation | leads to | through | |\n|---|---|---|---|\n${rows.join("\n")}`
}

function diagram(keyspace: Keyspace, page: DocPage): string | undefined {
  return page.relations.length === 0 ? undefined : `\`\`\`mermaid\n${mermaid(keyspace)}\`\`\``
}

const code = (text: string): string => `\`${text}\``
const escapeCell = (text: string): string => text.replaceAll("|", "\\|")
