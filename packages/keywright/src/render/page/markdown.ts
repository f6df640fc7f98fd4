/* A schema page as Markdown: what people used to write by hand. */

import type { Keyspace } from "../../schema/keyspace.ts"
import { diagramOf } from "./diagram.ts"
import { type DocField, type DocKey, type DocPage, type DocSection, shownPage } from "./doc-model.ts"
import { code, codeBlock, inCell, paragraphs, prose } from "./markdown-prose.ts"
import { mermaid } from "./mermaid.ts"
import { throughText } from "../titles.ts"

/** The page of a keyspace. `level` is that of its title. */
export function markdown(keyspace: Keyspace, { level = 1 }: { readonly level?: number } = {}): string {
  const page = shownPage(keyspace)
  const title = "#".repeat(level)
  const text = paragraphs([
    `${title} ${prose(page.title)}`,
    page.doc && prose(page.doc),
    contents(page),
    diagramOf(keyspace, page).lines.length === 0 ? undefined : codeBlock("mermaid", mermaid(keyspace).trimEnd()),
    ...page.sections.map((section) => sectionText(section, `${title}#`)),
    relationsText(page, `${title}#`),
    page.invariants.length === 0
      ? undefined
      : `${title}# What must hold\n\n${page.invariants.map((rule) => `- ${prose(rule)}`).join("\n")}`,
    stepsText(page, `${title}#`),
    toolkitText(page, `${title}#`),
  ])
  return `${text}\n`
}

/** Every key in one table: the page at a glance. */
function contents({ sections }: DocPage): string {
  const several = new Set(sections.map(({ db }) => db)).size > 1
  const rows = sections.flatMap(({ db, keys }) =>
    keys.map(
      (key) =>
        `| ${several ? `${db} | ` : ""}${codeCell(key.pattern)} | ${key.type} | ${cell(summaryOf(key))} | ${key.ttl} |`,
    ),
  )
  return `${several ? "| db " : ""}| key | type | holds | TTL |\n${several ? "|---" : ""}|---|---|---|---|\n${rows.join("\n")}`
}

const summaryOf = ({ doc, role, deprecated }: DocKey): string =>
  `${deprecated === undefined ? "" : "*(deprecated)* "}${role ?? doc ?? ""}`

function sectionText(section: DocSection, title: string): string {
  const { kind, doc, deprecated, when, keys } = section
  const text = paragraphs([
    doc && prose(doc),
    deprecated === undefined ? undefined : `> **Deprecated:** ${prose(deprecated)}`,
    when === undefined ? undefined : `> Only when ${prose(when)}.`,
    kind === "family" ? "*These keys live and die together: one deadline for all.*" : undefined,
    keys.length === 0 ? "*Nothing is kept here.*" : undefined,
  ])
  if (kind === "entity") return entityText(section, title, text)
  const cards = keys.map((key) => keyText(key, section, `${title}#`)).join("\n\n")
  return paragraphs([`${title} ${prose(section.title)}`, text, cards])
}

/** An entity: its keys as a table, then the fields of its record. */
function entityText(section: DocSection, title: string, text: string): string {
  const record = section.keys.find((key) => key.role === "the record")
  const rows = section.keys.map(
    (key) => `| ${codeCell(key.pattern)} | ${key.type} | ${cell(key.role ?? "")} | ${key.ttl} |`,
  )
  return paragraphs([
    `${title} ${prose(section.title)}`,
    text,
    `| key | type | holds | TTL |\n|---|---|---|---|\n${rows.join("\n")}`,
    record && fieldsTable(record.parts),
    record && example(record),
  ])
}

function keyText(key: DocKey, group: DocSection, title: string): string {
  const facts = [
    `**${key.type}**${key.kind === key.type ? "" : ` (${key.kind})`}`,
    key.ttl,
    key.keep === undefined ? undefined : `the newest ${key.keep} are kept`,
    key.evictable ? "may be evicted" : undefined,
    key.when === undefined || key.when === group.when ? undefined : `only when ${prose(key.when)}`,
  ]
  return paragraphs([
    `${title} ${code(key.pattern)}`,
    key.deprecated === undefined || key.deprecated === group.deprecated
      ? undefined
      : `> **Deprecated:** ${prose(key.deprecated)}`,
    key.doc && prose(key.doc),
    facts.filter((fact) => fact !== undefined).join(" · "),
    fieldsTable([...key.params.map((param) => ({ ...param, name: `{${param.name}}` })), ...key.parts]),
    example(key),
    `${who("Written by", key.writes)}${who("Read by", key.reads)}`.trim(),
  ])
}

const example = (key: DocKey): string => codeBlock("redis", key.example)

const who = (verb: string, names: readonly string[]): string =>
  names.length === 0 ? "" : ` ${verb} ${names.map(prose).join(", ")}.`

function fieldsTable(fields: readonly DocField[]): string {
  if (fields.length === 0) return ""
  const rows = fields.map(({ name, type, optional, secret }) => {
    const notes = [optional ? "optional" : "", secret ? "secret" : ""].filter((note) => note !== "").join(", ")
    return `| ${codeCell(name)} | ${cell(type)} | ${notes} |`
  })
  return `| part | value | |\n|---|---|---|\n${rows.join("\n")}`
}

function relationsText({ relations }: DocPage, title: string): string | undefined {
  if (relations.length === 0) return undefined
  const rows = relations.map(
    ({ entity, name, target, many, via, doc }) =>
      `| ${entity}.${name} | ${many ? "many" : "one"} ${target} | ${throughText({ via, target }, codeCell)} | ${cell(doc ?? "")} |`,
  )
  return `${title} Relations\n\n| relation | leads to | through | |\n|---|---|---|---|\n${rows.join("\n")}`
}

function stepsText({ steps }: DocPage, title: string): string | undefined {
  if (steps.length === 0) return undefined
  const rows = steps.map(
    ({ name, doc, keys, args, once }) =>
      `| ${codeCell(`${name}(${args.join(", ")})`)} | ${keys.map(codeCell).join(" ")} | ${cell(doc ?? "")}${once ? " *(once per operation id)*" : ""} |`,
  )
  return `${title} Atomic steps\n\n| step | keys | |\n|---|---|---|\n${rows.join("\n")}`
}

function toolkitText({ toolkit }: DocPage, title: string): string {
  const rows = toolkit.map((key) => `| ${codeCell(key.pattern)} | ${key.type} | ${cell(key.doc ?? "")} | ${key.ttl} |`)
  return `${title} Keywright's own keys\n\nWhat Keywright itself may store beside these keys.\n\n| key | type | what for | TTL |\n|---|---|---|---|\n${rows.join("\n")}`
}

const cell = (text: string): string => inCell(prose(text))
const codeCell = (text: string): string => inCell(code(text))
