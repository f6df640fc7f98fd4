/* One row of the table: what a kind of change does to old and new readers and writers. */

import type { TableVerdict, DataWork, RolloutOrder, Verdicts } from "../verdict.ts"

export interface ChangeCode extends Verdicts {
  readonly title: string
  /** Who is affected, and how. */
  readonly why: string
  readonly data: DataWork
  /** Where it does not follow from the verdicts. */
  readonly order?: RolloutOrder
}

export const row = (
  title: string,
  verdicts: Verdicts,
  data: DataWork,
  why: string,
  order?: RolloutOrder,
): ChangeCode => ({ title, why, ...verdicts, data, ...(order !== undefined && { order }) })

export const cells = <const V extends TableVerdict>(
  oldReader: V,
  newReader: V,
  oldWriter: V,
  newWriter: V,
): Verdicts<V> => ({ oldReader, newReader, oldWriter, newWriter })

export const works = cells("works", "works", "works", "works")
export const silent = cells("silent", "silent", "silent", "silent")
export const fails = cells("fails", "fails", "fails", "fails to read")
/** What was valid stays valid; there is more now. */
export const wider = cells("fails", "works", "fails to read", "works")
/** Some of what is stored is valid no longer. */
export const narrower = cells("works", "fails", "fails", "fails to read")
/** New programs keep something that old ones do not. */
export const kept = cells("works", "silent", "silent", "silent")
/** Old programs count on something that new ones do not keep. */
export const dropped = cells("silent", "works", "silent", "works")

export const moved = "Each side looks where the other does not write: a missing key is not an error, so nobody notices."
