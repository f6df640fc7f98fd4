/* A system's schema as the page draws it, and what changed in it. */

import type { Advice } from "../../change/diff/advice.ts"
import type { Change } from "../../change/diff/change.ts"
import type { Difference } from "../../change/diff/diff.ts"
import type { Diagram, DiagramBox, DiagramLine } from "../../render/page/diagram.ts"
import type { DocKey, DocPage, DocSection } from "../../render/page/doc-model.ts"
import type { EditForm } from "./edit.ts"

export type { Diagram, DiagramBox, DiagramLine, DocKey, DocPage, DocSection }

export interface SchemaCalls {
  "GET /api/systems/:system/schema": { readonly answer: SystemSchema }
  /** What changed since the schema of --against; 404 without one. */
  "GET /api/systems/:system/difference": { readonly answer: SystemDifference }
}

export interface SystemSchema {
  readonly system: string
  /** The page of the docs, as data. */
  readonly page: DocPage
  /** Undefined when there is nothing to draw. */
  readonly diagram: PlacedDiagram | undefined
  /** The tree of patterns, complete. */
  readonly tree: readonly TreeNode[]
  /** What can be edited, and with which form; by the pattern's name. */
  readonly forms: Readonly<Record<string, EditForm>>
}

export interface SystemDifference extends Pick<Difference, "level" | "order" | "questions"> {
  readonly system: string
  /** The schema that was given with --against: `"HEAD:schema.ts"`. */
  readonly before: string
  readonly changes: readonly ShownChange[]
}

export interface ShownChange extends Change {
  /** What to do about it. */
  readonly advice: readonly Advice[]
  /** The pattern in the schema as it is now, where there is one. */
  readonly pattern?: string
}

export interface PlacedDiagram {
  readonly kind: Diagram["kind"]
  readonly width: number
  readonly height: number
  /** `x` and `y` are the left upper corner. `pattern`: where a click leads, the record of an entity. */
  readonly boxes: readonly (DiagramBox & {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
    readonly pattern?: string
  })[]
  readonly lines: readonly (DiagramLine & {
    readonly points: readonly { readonly x: number; readonly y: number }[]
    /** The middle of the label. */
    readonly labelAt: { readonly x: number; readonly y: number }
  })[]
}

/** Database → group or entity → pattern. Systems with one database begin with the groups. */
export type TreeNode = TreeGroup | TreePattern

export interface TreeGroup {
  readonly node: "database" | "group" | "entity" | "family" | "toolkit"
  /** Unique in the system: for open and closed. */
  readonly path: string
  readonly title: string
  readonly db: number
  readonly doc?: string
  readonly deprecated?: string
  readonly children: readonly TreeNode[]
}

export interface TreePattern {
  readonly node: "pattern"
  /** The name in the schema; of the toolkit's own keys `"<db>/<name>"`. What `pattern=` takes. */
  readonly name: string
  readonly pattern: string
  readonly db: number
  readonly type: string
  readonly kind: string
  /** In an entity: `"the record"`, `"all ids"`. */
  readonly role?: string
  readonly ttl: string
  readonly doc?: string
  readonly deprecated?: string
  readonly params: readonly ParamInfo[]
  /** Some segment is secret: keys are redacted. */
  readonly secret: boolean
  /** For records: what they can be found and sorted by. */
  readonly indexes: readonly IndexInfo[]
}

/** An index of an entity; `KeysQuery.index` takes its name. */
export interface IndexInfo {
  /** The name of its pattern. */
  readonly name: string
  readonly label: string
  readonly kind: "unique" | "set" | "ordered"
  readonly params: readonly ParamInfo[]
  /** For an ordered one: the field that it is sorted by. */
  readonly score?: string
}

export interface ParamInfo {
  readonly name: string
  readonly type: string
  readonly secret: boolean
  /** The named id that it is: `"user"`. */
  readonly id?: string
  readonly choices?: readonly string[]
}
