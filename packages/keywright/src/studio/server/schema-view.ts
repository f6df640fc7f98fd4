/* A system's schema as the page draws it: the docs as data, the diagram with places
 * for everything, and the tree of patterns, complete before anything is counted. */

import { dagreLayout } from "../../cli/diagram-layout.ts"
import { redisTypes } from "../../schema/define.ts"
import { diagramOf } from "../../render/page/diagram.ts"
import { placeDiagram } from "../../render/page/diagram-svg.ts"
import type { DocSection } from "../../render/page/doc-model.ts"
import { ttlText } from "../../render/ttl-text.ts"
import type { KeyModel } from "../../inspect/model/model.ts"
import type { PlacedDiagram, SystemSchema, TreeGroup, TreeNode, TreePattern } from "../api.ts"
import { formsOf } from "./edit/edit-form.ts"
import { indexesOf } from "./index-list.ts"
import { onePer } from "../../client/call/one-per.ts"
import type { OpenSystem } from "./open-system.ts"
import { paramInfo } from "./param-info.ts"

export const schemaView = onePer((system: OpenSystem): SystemSchema => {
  const { name, page } = system
  return { system: name, page, diagram: placedDiagram(system), tree: treeOf(system), forms: formsOf(system) }
})

function placedDiagram(system: OpenSystem): PlacedDiagram | undefined {
  const diagram = diagramOf(system.keyspace, system.page)
  const parts = placeDiagram(diagram, dagreLayout)
  if (parts === undefined) return undefined
  const { placed, sizes } = parts
  return {
    kind: diagram.kind,
    width: placed.width,
    height: placed.height,
    boxes: diagram.boxes.map((box, i) => {
      const [{ width, height }, { x, y }] = [sizes[i]!, placed.nodes[i]!]
      const isRecord = diagram.kind === "entities" && system.model.keys.has(box.name)
      return { ...box, x: x - width / 2, y: y - height / 2, width, height, ...(isRecord && { pattern: box.name }) }
    }),
    lines: diagram.lines.map((line, i) => {
      const { points, label } = placed.edges[i]!
      return { ...line, points, labelAt: label }
    }),
  }
}

function treeOf(system: OpenSystem): TreeNode[] {
  const { databases, page } = system
  const own = (db: number, sections: readonly DocSection[]): TreeNode[] => [
    ...sections.filter((section) => section.kind !== "database").flatMap((section) => branch(system, section)),
    ...sections.filter((section) => section.kind === "database").flatMap((section) => leaves(system, section)),
    toolkitBranch(system, db),
  ]
  if (databases.length === 1) return own(databases[0]!.db, page.sections)
  return databases.map(({ db }): TreeGroup => {
    const sections = page.sections.filter((section) => section.db === db)
    const head = sections.find(({ kind }) => kind === "database")
    return {
      node: "database",
      path: `db${db}`,
      title: head?.title ?? `Database ${db}`,
      db,
      ...notes(head),
      children: own(db, sections),
    }
  })
}

/** Entities, families and named groups are branches; other keys are leaves of their own. */
function branch(system: OpenSystem, section: DocSection): TreeNode[] {
  const children = leaves(system, section)
  if (section.name === "") return children
  const [first] = section.keys
  const node = section.kind === "entity" ? "entity" : section.kind === "family" ? "family" : "group"
  const db = first === undefined ? section.db : system.rowNamed(first.name).db
  return [{ node, path: `${db}:${section.name}`, title: section.title, db, ...notes(section), children }]
}

const leaves = (system: OpenSystem, section: DocSection): TreePattern[] =>
  section.keys.map((key) => leaf(system, system.rowNamed(key.name)))

const notes = (section: DocSection | undefined): Pick<TreeGroup, "doc" | "deprecated"> => ({
  ...(section?.doc !== undefined && { doc: section.doc }),
  ...(section?.deprecated !== undefined && { deprecated: section.deprecated }),
})

function toolkitBranch(system: OpenSystem, db: number): TreeGroup {
  const rows = [...system.model.keys.values()].filter((row) => row.toolkit && row.db === db)
  return {
    node: "toolkit",
    path: `${db}/keywright`,
    title: "Keywright's own",
    db,
    doc: "Results of operations, leases of jobs, deadlines of records: they expire or empty themselves.",
    children: rows.map((row) => leaf(system, row)),
  }
}

function leaf(system: OpenSystem, row: KeyModel): TreePattern {
  const { declared } = row
  const doc = system.docKey(row)
  const secret = system.secretParams(row)
  return {
    node: "pattern",
    name: system.nameOf(row),
    pattern: declared.pattern,
    db: row.db,
    type: redisTypes[declared.kind],
    kind: declared.kind,
    ttl: ttlText(declared.ttl, declared.family !== undefined),
    ...(doc?.role !== undefined && { role: doc.role }),
    ...((doc?.doc ?? declared.doc) !== undefined && { doc: doc?.doc ?? declared.doc }),
    ...(declared.deprecated !== undefined && { deprecated: declared.deprecated }),
    params: row.params.map((name) => paramInfo(system, row, name)),
    secret: secret.size > 0,
    indexes: indexesOf(system, row),
  } as TreePattern
}
