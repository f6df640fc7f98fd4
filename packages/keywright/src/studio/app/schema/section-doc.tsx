import { countText } from "../../../render/quantity.ts"
import { sectionTitle } from "../../../render/titles.ts"
import type { DocKey, DocSection } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { InlineCode } from "../parts/inline-code.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { Table } from "../parts/table.tsx"
import { TypeName } from "../parts/type-name.tsx"
import { href } from "../state/route.ts"
import { counts } from "../state/studio.ts"
import { DocNotes } from "./doc-notes.tsx"

export const sectionAnchor = (name: string): string => `section-${name}`

/** A group of keys, or an entity with all keys that move with it. */
export const SectionDoc = ({ system, section }: { readonly system: string; readonly section: DocSection }) => (
  <div id={sectionAnchor(section.name)}>
    <Card
      title={
        <>
          {sectionTitle(section)}{" "}
          {section.kind === "entity" || section.kind === "family" ? (
            <span class="badge accent">{section.kind}</span>
          ) : null}
        </>
      }
    >
      <div class="section-notes">
        {section.doc === undefined ? null : (
          <p class="quiet">
            <InlineCode text={section.doc} />
          </p>
        )}
        <DocNotes deprecated={section.deprecated} when={section.when} />
        {section.kind === "family" ? <p class="note">These keys live and die together: one deadline for all.</p> : null}
      </div>
      {section.keys.length === 0 ? (
        <p class="quiet body">Nothing is kept here.</p>
      ) : (
        <Table class="docs" arrows columns={["Key", "Type", "Holds", "TTL", { number: "Keys" }]}>
          {section.keys.map((key) => (
            <KeyRow key={key.name} system={system} of={key} />
          ))}
        </Table>
      )}
    </Card>
  </div>
)

function KeyRow({ system, of }: { readonly system: string; readonly of: DocKey }) {
  const { name, pattern, type, kind, role, doc, ttl, deprecated, params, parts } = of
  const keys = counts.value[system]?.get(name)?.keys
  const isSecret = [...params, ...parts].some(({ secret }) => secret)
  return (
    <tr class={deprecated === undefined ? "go" : "go old"}>
      <td>
        <a href={href("schema", [system, name])} data-row>
          <Pattern of={pattern} />
        </a>
      </td>
      <td>
        <TypeName type={type} kind={kind} />
      </td>
      <td>
        <InlineCode text={role ?? doc ?? ""} /> {isSecret ? <span class="badge warn">secrets</span> : null}
      </td>
      <td class="quiet nowrap">{ttl}</td>
      <td class="number">
        <a href={href("browse", [system, name])}>{keys === undefined ? "…" : countText(keys)}</a>
      </td>
    </tr>
  )
}
