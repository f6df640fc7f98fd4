import type { ComponentChildren } from "preact"
import { bytesText, countText } from "../../../render/quantity.ts"
import type { DatabaseOverview, PatternOverview } from "../../api.ts"
import { Card } from "../parts/card.tsx"
import { Pattern } from "../parts/pattern.tsx"
import { Table } from "../parts/table.tsx"
import { TtlMeter } from "../parts/ttl-meter.tsx"
import { TypeName } from "../parts/type-name.tsx"
import { href } from "../state/route.ts"

interface Props {
  readonly system: string
  readonly database: DatabaseOverview
  readonly several: boolean
  readonly aside: ComponentChildren
}

/** The patterns of one database, the largest first. */
export function PatternsTable({ system, database, several, aside }: Props) {
  const { db, name, patterns, toolkit, unknown, unknownKinds } = database
  const rows = [...patterns, ...toolkit, ...unknown].sort((a, b) => b.bytes - a.bytes || b.keys - a.keys)
  const title = several ? `Database ${db}${name === undefined ? "" : `: ${name}`}` : "Patterns"
  return (
    <Card title={title} aside={aside}>
      <Table
        arrows
        columns={[
          "Pattern",
          "Type",
          { number: "Keys" },
          { number: "Memory" },
          { number: "A key" },
          "TTL",
          "As declared",
        ]}
      >
        {rows.map((row) => (
          <PatternRow key={row.name} system={system} row={row} />
        ))}
      </Table>
      {unknownKinds > unknown.length ? (
        <p class="quiet small body">{countText(unknownKinds - unknown.length)} more kinds of unknown keys</p>
      ) : null}
    </Card>
  )
}

function PatternRow({ system, row }: { readonly system: string; readonly row: PatternOverview }) {
  const { name, pattern, keys, bytes, types, ttlRule, ttlHealth, known } = row
  return (
    <tr class="go">
      <td>
        <a href={href("browse", [system, name])} data-row>
          <Pattern of={pattern} />
        </a>{" "}
        {known === "unknown" ? <span class="badge warn">not in the schema</span> : null}
        {known === "toolkit" ? <span class="badge">Keywright’s own</span> : null}
      </td>
      <td>
        {Object.keys(types).map((type) => (
          <TypeName key={type} type={type} />
        ))}
      </td>
      <td class="number">{countText(keys)}</td>
      <td class="number">{bytesText(bytes)}</td>
      <td class="number quiet">{keys === 0 ? "" : bytesText(bytes / keys)}</td>
      <td class="quiet">{ttlRule}</td>
      <td class="meter-cell">{keys === 0 ? null : <TtlMeter health={ttlHealth} />}</td>
    </tr>
  )
}
