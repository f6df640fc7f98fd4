import { Card } from "../parts/card.tsx"
import { NoSystem } from "../parts/empty.tsx"
import { PageHead } from "../parts/page-head.tsx"
import { Skeleton } from "../parts/skeleton.tsx"
import { href } from "../state/route.ts"
import { overviews, systemNamed } from "../state/studio.ts"
import { AuditOffer } from "./audit-offer.tsx"
import { BiggestKeys } from "./biggest-keys.tsx"
import { Facts } from "./facts.tsx"
import { FindingsByKind } from "./findings-by-kind.tsx"
import { GrowthCard } from "./growth-card.tsx"
import { PatternsTable } from "./patterns-table.tsx"
import { ProposalCard } from "./proposal-card.tsx"
import { ScanLine } from "./scan-line.tsx"
import { ServersCard } from "./servers-card.tsx"
import { TreeMapCard } from "./tree-map-card.tsx"
import { Warnings } from "./warnings.tsx"

export function OneSystem({ name }: { readonly name: string }) {
  const system = systemNamed(name)
  if (system === undefined) return <NoSystem name={name} view="overview" />
  const databases = overviews.value[name]?.databases ?? []
  const names = [name]
  return (
    <div class="page">
      <PageHead title={system.title} crumbs={[{ text: "Overview", href: href("overview") }]} lead={system.doc}>
        <a class="button" href={href("schema", [name])}>
          Schema
        </a>
        <a class="button" href={href("browse", [name])}>
          Browse
        </a>
        <AuditOffer names={names} />
      </PageHead>
      <div class="stack">
        <ProposalCard name={name} />
        <Facts names={names} />
        <TreeMapCard names={names} />
        {databases.length === 0 ? (
          <Card title="Patterns">
            <Skeleton rows={system.patterns} height={23} />
          </Card>
        ) : null}
        {databases.map((database, i) => (
          <PatternsTable
            key={database.db}
            system={name}
            database={database}
            several={databases.length > 1}
            aside={i === 0 ? <ScanLine names={names} /> : undefined}
          />
        ))}
        <div class="columns">
          <GrowthCard names={names} />
          <FindingsByKind names={names} />
        </div>
        <BiggestKeys system={name} databases={databases} />
        <div class="columns">
          <Warnings names={names} />
          <ServersCard names={names} />
        </div>
      </div>
    </div>
  )
}
