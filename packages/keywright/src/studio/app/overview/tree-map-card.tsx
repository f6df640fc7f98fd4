import { Card } from "../parts/card.tsx"
import { Empty } from "../parts/empty.tsx"
import { px } from "../parts/px.ts"
import { Skeleton } from "../parts/skeleton.tsx"
import { overviews } from "../state/studio.ts"
import { TreeMap } from "./tree-map.tsx"
import { memoryOf, type MemoryNode } from "./tree-map-nodes.ts"

const HEIGHT = 340

/** Where the memory is. */
export function TreeMapCard({ names }: { readonly names: readonly string[] }) {
  const known = names.flatMap((name) => overviews.value[name] ?? [])
  const nodes: MemoryNode[] = known.map((overview) => ({
    name: overview.system,
    bytes: 0,
    keys: 0,
    children: memoryOf(overview),
  }))
  const filled = nodes.filter(({ children }) => (children?.length ?? 0) > 0)
  const shown = names.length === 1 ? (filled[0]?.children ?? []) : filled
  const hasUnknown = known.some(({ databases }) => databases.some(({ unknown }) => unknown.length > 0))
  return (
    <Card
      title="Memory by pattern"
      aside={hasUnknown ? <span class="legend-unknown">not in the schema</span> : undefined}
    >
      <div class="body">
        {known.length < names.length ? (
          <Skeleton height={HEIGHT} />
        ) : shown.length === 0 ? (
          <div style={{ minHeight: px(HEIGHT) }}>
            <Empty title="No keys yet" text="Patterns appear here as soon as something is stored." />
          </div>
        ) : (
          <TreeMap nodes={shown} height={HEIGHT} />
        )}
      </div>
    </Card>
  )
}
