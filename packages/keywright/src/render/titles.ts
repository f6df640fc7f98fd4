/* Titles of sections and boxes, the same in files and in the studio. */

import type { DocSection } from "./page/doc-model.ts"

/** `"service.channel"` → `"service › channel"` */
export const sectionTitle = ({ title, kind }: DocSection): string =>
  kind === "database" ? title : title.split(".").join(" › ")

/** A text that has to fit into a box. */
export const shorter = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text
