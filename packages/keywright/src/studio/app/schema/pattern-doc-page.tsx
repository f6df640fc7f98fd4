import { bytesText, countText } from "../../../render/quantity.ts"
import type { DocKey, SystemInfo, SystemSchema } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { CopyButton } from "../parts/copy-button.tsx"
import { Empty } from "../parts/empty.tsx"
import { InlineCode } from "../parts/inline-code.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { Table } from "../parts/table.tsx"
import { TypeName } from "../parts/type-name.tsx"
import { href } from "../state/route.ts"
import { counts } from "../state/studio.ts"
import { DocNotes, RulesCard } from "./doc-notes.tsx"
import { RelationsTable } from "./relations-table.tsx"
import { Steps } from "./steps.tsx"

interface Props {
  readonly system: SystemInfo
  readonly schema: SystemSchema
  readonly name: string
}

/** One pattern, as the docs have it, with its numbers. */
export function PatternDocPage({ system, schema, name }: Props) {
  const { page } = schema
  const section = page.sections.find(({ keys }) => keys.some((key) => key.name === name))
  const key = section?.keys.find((one) => one.name === name)
  if (section === undefined || key === undefined)
    return (
      <Empty title="No such pattern">
        <p>
          The schema of {system.title} has none called <code>{name}</code>.{" "}
          <a href={href("schema", [system.name])}>All of its patterns</a>
        </p>
      </Empty>
    )
  const siblings = section.keys.filter((one) => one.name !== name)
  return (
    <div class="page">
      <PageHead
        title={<Pattern of={key.pattern} />}
        crumbs={[
          { text: "Schema", href: href("schema") },
          { text: system.title, href: href("schema", [system.name]) },
          { text: section.title, href: href("schema", [system.name], { entity: section.name }) },
        ]}
        lead={key.doc === undefined ? key.role : <InlineCode text={key.doc} />}
      >
        <a class="button first" href={href("browse", [system.name, name])}>
          Browse its keys
        </a>
      </PageHead>
      <Marks system={system.name} of={key} db={system.databases.length > 1 ? section.db : undefined} />
      <div class="stack">
        <DocNotes deprecated={key.deprecated} when={key.when} />
        <PartsTable
          title="Parameters"
          head="Parameter"
          fields={key.params.map((one) => ({ ...one, name: `{${one.name}}` }))}
        />
        <PartsTable
          title={key.kind === "entity" || key.role === "the record" ? "Fields" : "Value"}
          head="Part"
          fields={key.parts}
        />
        <Card title="Written by hand, it would be" aside={<CopyButton text={key.example} what="the command" />}>
          <div class="body">
            <code class="pre block">{key.example}</code>
          </div>
        </Card>
        <Users writes={key.writes} reads={key.reads} />
        <RulesCard rules={page.invariants.filter((rule) => rule.includes(`\`${name}\``))} />
        <RelationsTable
          relations={
            key.role === "the record"
              ? page.relations.filter(({ entity, target }) => entity === section.name || target === section.name)
              : []
          }
        />
        <Steps steps={page.steps.filter(({ keys }) => keys.some((one) => one.replace(/\[\]$/, "") === key.pattern))} />
        {siblings.length === 0 || section.name === "" ? null : (
          <Card title={section.kind === "entity" ? "Moves with it" : `Also in ${section.title}`}>
            <ul class="siblings body">
              {siblings.map((one) => (
                <li key={one.name}>
                  <a href={href("schema", [system.name, one.name])}>
                    <Pattern of={one.pattern} />
                  </a>{" "}
                  <span class="quiet small">{one.role ?? one.doc}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </div>
  )
}

function Marks({ system, of, db }: { readonly system: string; readonly of: DocKey; readonly db: number | undefined }) {
  const count = counts.value[system]?.get(of.name)
  return (
    <ul class="marks">
      <li>
        <TypeName type={of.type} kind={of.kind} />
      </li>
      <li>TTL: {of.ttl}</li>
      {db === undefined ? null : <li>database {db}</li>}
      {of.keep === undefined ? null : <li>newest {of.keep} kept</li>}
      {of.evictable ? <li>may be evicted</li> : null}
      <li>
        <code>{of.name}</code>
      </li>
      {count === undefined ? null : (
        <li>
          {countText(count.keys)} keys, {bytesText(count.bytes)}
        </li>
      )}
    </ul>
  )
}

interface PartsProps {
  readonly title: string
  readonly head: string
  readonly fields: DocKey["parts"]
}

const PartsTable = ({ title, head, fields }: PartsProps) =>
  fields.length === 0 ? null : (
    <Card title={title}>
      <Table columns={[head, "Value", "Note"]}>
        {fields.map(({ name, type, optional, secret }) => (
          <tr key={name}>
            <td>
              <code class="break">{name}</code>
            </td>
            <td>{type}</td>
            <td class="quiet">
              {optional ? "optional " : ""}
              {secret ? <span class="badge warn">secret</span> : null}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  )

const Users = ({ writes, reads }: Pick<DocKey, "writes" | "reads">) =>
  writes.length === 0 && reads.length === 0 ? null : (
    <Card title="Who uses it">
      <dl class="pairs body">
        {Object.entries({ "Written by": writes, "Read by": reads }).map(([how, names]) =>
          names.length === 0 ? null : (
            <>
              <dt>{how}</dt>
              <dd>{names.join(", ")}</dd>
            </>
          ),
        )}
      </dl>
    </Card>
  )
