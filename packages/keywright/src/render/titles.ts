/* Titles of sections and boxes, and words about relations, the same in files and in the studio. */

import type { RelationRow } from "../schema/relation.ts"
import type { DocSection } from "./page/doc-model.ts"

/** `"service.channel"` → `"service › channel"` */
export const sectionTitle = ({ title, kind }: DocSection): string =>
  kind === "database" ? title : title.split(".").join(" › ")

/** What a relation goes through; `code` is how a name is written. */
export const throughText = (
  { via, target }: Pick<RelationRow, "via" | "target">,
  code: (name: string) => string,
): string => {
  if ("field" in via) return `its ${code(via.field)}`
  return "index" in via ? `index ${code(via.index)} of ${target}` : `the set ${code(via.set)}`
}

/** A text that has to fit into a box. */
export const shorter = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
