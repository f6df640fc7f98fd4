/* Values as tests of infer have them. */

import type { Wire } from "../../../driver/driver.ts"
import { Cells } from "./cells.ts"
import { Documents } from "./documents.ts"
import { TextStatistics } from "./text-statistics.ts"
import { Values } from "./values.ts"

export const times = (count: number, make: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => make(i))

export const textsOf = (values: readonly string[]): TextStatistics => {
  const texts = new TextStatistics()
  for (const value of values) texts.add(value)
  return texts
}
export const cellsOf = (values: readonly Wire[]): Cells => {
  const cells = new Cells()
  for (const value of values) cells.add(value)
  return cells
}
export const documentsOf = (values: readonly unknown[]): Documents => {
  const documents = new Documents()
  for (const value of values) documents.add(value)
  return documents
}
/** Values of one type, each as its elements. */
export const valuesOf = (type: string, all: readonly (readonly Wire[])[], cut = false): Values => {
  const values = new Values()
  for (const elements of all) values.add({ type, elements, cut })
  return values
}
