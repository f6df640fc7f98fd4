/* One row of the table: what a kind of change does to old and new readers and writers. */

import type { TableVerdict, DataWork, RolloutOrder, Verdicts } from "../verdict.ts"

export interface ChangeCode extends Verdicts {
  readonly title: string
  /** Who is affected, and how. */
  readonly why: string
  readonly data: DataWork
  /** The code of the same change the other way round: one of these, or no change at all. */
  readonly reverse: readonly string[]
  /** Where it does not follow from the verdicts. */
  readonly order?: RolloutOrder
}

type Cells = readonly [
  oldReader: TableVerdict,
  newReader: TableVerdict,
  oldWriter: TableVerdict,
  newWriter: TableVerdict,
]

export const row = (
  title: string,
  [oldReader, newReader, oldWriter, newWriter]: Cells,
  data: DataWork,
  reverse: string | readonly string[],
  why: string,
  order?: RolloutOrder,
): ChangeCode => ({
  title,
  why,
  oldReader,
  newReader,
  oldWriter,
  newWriter,
  data,
  reverse: typeof reverse === "string" ? [reverse] : reverse,
  ...(order !== undefined && { order }),
})

export const works: Cells = ["works", "works", "works", "works"]
export const silent: Cells = ["silent", "silent", "silent", "silent"]
export const fails: Cells = ["fails", "fails", "fails", "fails to read"]
/** What was valid stays valid; there is more now. */
export const wider: Cells = ["fails", "works", "fails to read", "works"]
/** Some of what is stored is valid no longer. */
export const narrower: Cells = ["works", "fails", "fails", "fails to read"]

export const moved = "Each side looks where the other does not write: a missing key is not an error, so nobody notices."
