import { bytesText, counted, countText } from "../../../render/quantity.ts"
import { Card } from "../parts/card.tsx"
import { Table } from "../parts/table.tsx"
import { TtlMeter } from "../parts/ttl-meter.tsx"
import { href } from "../state/route.ts"
import { serverOf } from "../state/server-of.ts"
import { audits, overviews, pulses, scans, systems } from "../state/studio.ts"
import { ScanLine } from "./scan-line.tsx"
import { noHealth, sumCounted } from "./sum-counted.ts"

/** One row for each system: what it is, how much, how healthy. */
export function SystemsTable() {
  // A server counts all commands that it receives, for whichever system.
  const shared = new Set(systems.value.map(({ name }) => serverOf(name))).size < systems.value.length
  return (
    <Card title="Systems" aside={<ScanLine names={systems.value.map(({ name }) => name)} />}>
      <Table
        class="systems"
        arrows
        columns={[
          "System",
          { number: "Keys" },
          { number: "Memory" },
          "TTL",
          shared ? undefined : { number: "Commands/s" },
          "Audit",
        ]}
      >
        {systems.value.map(({ name, title, doc }) => (
          <SystemRow key={name} name={name} title={title} doc={doc} shared={shared} />
        ))}
      </Table>
    </Card>
  )
}

interface RowProps {
  readonly name: string
  readonly title: string
  readonly doc: string | undefined
  readonly shared: boolean
}

function SystemRow({ name, title, doc, shared }: RowProps) {
  const overview = overviews.value[name]
  const sum = sumCounted(overview?.databases ?? [])
  const isCounting = scans.value[name]?.round === 0
  return (
    <tr class="go">
      <td class="what">
        <a href={href("overview", [name])} data-row>
          <b>{title}</b>
        </a>
        <p class="quiet small">{doc}</p>
      </td>
      <td class="number">
        {overview === undefined ? "…" : countText(sum.keys)}
        {isCounting ? <span class="quiet"> so far</span> : null}
      </td>
      <td class="number">{overview === undefined ? "…" : bytesText(sum.bytes)}</td>
      <td class="meter-cell">
        <TtlMeter health={overview === undefined ? noHealth : sum.ttlHealth} />
      </td>
      {shared ? null : <td class="number">{countText(pulses.value[name]?.opsPerSecond ?? 0)}</td>}
      <td>
        <Audited name={name} />
      </td>
    </tr>
  )
}

function Audited({ name }: { readonly name: string }) {
  const audit = audits.value[name]
  if (audit === undefined || audit.state === "never") return <a href={href("audit", [name])}>not yet</a>
  if (audit.state === "running") return <span class="badge accent">running</span>
  if (audit.findings === 0) return <span class="badge good">clean</span>
  return (
    <a href={href("audit", [name])} class="badge warn">
      {counted(audit.findings, "finding")}
    </a>
  )
}
