import { countText } from "../../../render/quantity.ts"
import { arrowRows } from "../parts/arrow-rows.ts"
import { PageHead } from "../parts/page-head.tsx"
import { href } from "../state/route.ts"
import { counts, overviews, schemas, systemNamed, systems } from "../state/studio.ts"
import { ScanLine } from "../overview/scan-line.tsx"
import { sumCounted } from "../overview/sum-counted.ts"
import type { TreeGroup, TreeNode, TreePattern } from "../../api.ts"
import { Pattern } from "../parts/pattern.tsx"
import { TypeName } from "../parts/type-name.tsx"

/** Before a pattern is chosen: the systems, or what one of them holds. */
export function SystemIntro({ name }: { readonly name: string | undefined }) {
  const system = systemNamed(name)
  if (system === undefined) return <Systems />
  const tree = schemas.value[system.name]?.tree ?? []
  return (
    <div class="page">
      <PageHead title={system.title} crumbs={[{ text: "Browse", href: href("browse") }]} lead={system.doc} />
      <ScanLine names={[system.name]} />
      <div class="intro" onKeyDown={arrowRows}>
        <Level system={system.name} nodes={tree.filter(({ node }) => node !== "toolkit")} title={undefined} />
      </div>
    </div>
  )
}

interface LevelProps {
  readonly system: string
  readonly nodes: readonly TreeNode[]
  readonly title: TreeGroup | undefined
}

function Level({ system, nodes, title }: LevelProps) {
  const patterns = nodes.filter((node): node is TreePattern => node.node === "pattern")
  const groups = nodes.filter((node): node is TreeGroup => node.node !== "pattern")
  const entities = groups.filter(({ node }) => node === "entity")
  return (
    <>
      {title === undefined ? null : (
        <div class="intro-title">
          <h2>{title.title}</h2>
          {title.doc === undefined ? null : <p class="quiet small">{title.doc}</p>}
        </div>
      )}
      {entities.map((entity) => (
        <EntityTile key={entity.path} system={system} entity={entity} />
      ))}
      {patterns.map((pattern) => (
        <PatternTile key={pattern.name} system={system} pattern={pattern} doc={pattern.doc} />
      ))}
      {groups
        .filter(({ node }) => node !== "entity")
        .map((group) => (
          <Level key={group.path} system={system} nodes={group.children} title={group} />
        ))}
    </>
  )
}

function EntityTile({ system, entity }: { readonly system: string; readonly entity: TreeGroup }) {
  const record = entity.children.find(
    (child): child is TreePattern => child.node === "pattern" && child.role === "the record",
  )
  return record === undefined ? null : <PatternTile system={system} pattern={record} doc={entity.doc} />
}

interface TileProps {
  readonly system: string
  readonly pattern: TreePattern
  readonly doc: string | undefined
}

function PatternTile({ system, pattern, doc }: TileProps) {
  const keys = counts.value[system]?.get(pattern.name)?.keys
  return (
    <a class="tile" href={href("browse", [system, pattern.name])} data-row>
      <span class="tile-head">
        <Pattern of={pattern.pattern} />
        <span class="count">{keys === undefined ? "…" : countText(keys)}</span>
      </span>
      <span class="quiet small tile-doc">
        <TypeName type={pattern.type} kind={pattern.kind} /> {doc ?? pattern.ttl}
      </span>
    </a>
  )
}

const Systems = () => (
  <div class="page">
    <PageHead title="Browse" lead="Choose a system, then a pattern: its keys are listed page by page." />
    <div class="intro" onKeyDown={arrowRows}>
      {systems.value.map(({ name, title, doc }) => (
        <a key={name} class="tile" href={href("browse", [name])} data-row>
          <span class="tile-head">
            <b>{title}</b>
            <span class="count">{countText(sumCounted(overviews.value[name]?.databases ?? []).keys)}</span>
          </span>
          <span class="quiet small tile-doc">{doc}</span>
        </a>
      ))}
    </div>
  </div>
)
