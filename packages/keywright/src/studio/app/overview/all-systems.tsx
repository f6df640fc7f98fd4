import { PageHead } from "../parts/page-head.tsx"
import { systems } from "../state/studio.ts"
import { AuditOffer } from "./audit-offer.tsx"
import { Facts } from "./facts.tsx"
import { FindingsByKind } from "./findings-by-kind.tsx"
import { GrowthCard } from "./growth-card.tsx"
import { ServersCard } from "./servers-card.tsx"
import { SystemsTable } from "./systems-table.tsx"
import { TreeMapCard } from "./tree-map-card.tsx"
import { Warnings } from "./warnings.tsx"

export function AllSystems() {
  const names = systems.value.map(({ name }) => name)
  return (
    <div class="page">
      <PageHead title="Overview" lead={`What is in ${names.length} systems, how it grows, and what is wrong with it.`}>
        <AuditOffer names={names} />
      </PageHead>
      <div class="stack">
        <Facts names={names} />
        <SystemsTable />
        <TreeMapCard names={names} />
        <div class="columns">
          <GrowthCard names={names} />
          <FindingsByKind names={names} />
        </div>
        <div class="columns">
          <Warnings names={names} />
          <ServersCard names={names} />
        </div>
      </div>
    </div>
  )
}
