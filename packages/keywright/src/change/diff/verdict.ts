/* What a change does to the four who meet over the data, and what follows from that.
 *
 *   old reader   reads what a new writer wrote
 *   new reader   reads what an old writer wrote: the data as it is
 *   old writer   continues alongside new programs
 *   new writer   updates what old ones wrote
 *
 * A missing key is not an error in Redis, so there is a third verdict besides "works" and
 * "fails": `silent`, a wrong, lost or incomplete value that goes unnoticed. A verdict is
 * about the worst that can happen, over every value that the writer may write. */

export type Verdict = "works" | "fails" | "silent" | "n/a"

/** In the table also: only a writer that reads first fails; blind writes pass. Such a writer counts as a reader. */
export type TableVerdict = Verdict | "fails to read"

export interface Verdicts<V = TableVerdict> {
  readonly oldReader: V
  readonly newReader: V
  readonly oldWriter: V
  readonly newWriter: V
}

/** What has to happen to the data that is there. */
export type DataWork =
  | "nothing"
  | "audit"
  | "rewrite"
  | "move"
  | "convert"
  | "backfill"
  | "index"
  | "purge"
  | "expire"
  | "persist"
  | "trim"
  | "refill"
  | "raise"
  | "drain"

export type Level = "harmless" | "data" | "breaks-readers" | "breaks-writers" | "silent"
export type RolloutOrder = "any" | "readers first" | "writers first" | "all at once"

/** From the least to the worst. */
export const levels: readonly Level[] = Object.freeze([
  "harmless",
  "data",
  "breaks-readers",
  "breaks-writers",
  "silent",
])

const rank: readonly TableVerdict[] = ["n/a", "works", "fails to read", "fails", "silent"]

export const worse = <V extends TableVerdict>(one: V, other: V): V =>
  rank.indexOf(one) < rank.indexOf(other) ? other : one

export const isGood = (cell: TableVerdict): boolean => cell === "works" || cell === "n/a"

/** A cell as it is reported: without the distinction that only order and level need. */
export const told = (cell: TableVerdict): Verdict => (cell === "fails to read" ? "fails" : cell)

export function levelOf({ oldReader, newReader, oldWriter, newWriter }: Verdicts, data: DataWork): Level {
  const all = [oldReader, newReader, oldWriter, newWriter]
  if (all.includes("silent")) return "silent"
  if (oldWriter === "fails" || newWriter === "fails") return "breaks-writers"
  if (!all.every(isGood)) return "breaks-readers"
  return data === "nothing" ? "harmless" : "data"
}

/**
 * The order in which no program meets data that it misreads. Readers first: the new ones can read the existing data,
 * and the old ones are gone before anything else is written. Writers first: the old readers can read what the new
 * ones write; the new readers follow when the data has been migrated.
 */
export function orderOf({ oldReader, newReader, oldWriter, newWriter }: Verdicts): RolloutOrder {
  if ([oldReader, newReader, oldWriter, newWriter].every(isGood)) return "any"
  const canBegin = isGood(newWriter) || newWriter === "fails to read"
  if (!canBegin) return "all at once"
  if (isGood(oldReader)) return "writers first"
  return isGood(newReader) ? "readers first" : "all at once"
}

/** The order for several changes that are deployed together. */
export function orderTogether(orders: readonly RolloutOrder[]): RolloutOrder {
  const wanted = new Set(orders.filter((order) => order !== "any"))
  return wanted.size > 1 ? "all at once" : ([...wanted][0] ?? "any")
}

export const levelTogether = (found: readonly Level[]): Level =>
  levels[Math.max(0, ...found.map((level) => levels.indexOf(level)))] as Level
