/* What can be wrong with where a cluster puts the keys of a schema. */

import { SchemaError } from "./error.ts"

/** What is not in one slot, as `clusterAtomicity` says it. */
export interface SplitPart {
  readonly name: string
  readonly kind: string
  readonly apart?: readonly [string, string]
  readonly proposal?: string
}

const WHY =
  "A script, a transaction and a MULTI work in one slot, and only what is in one slot stays whole when a failover loses the last writes."
const HASH_TAG = "Give the patterns one hash tag, {{tenant}}:…, or use a server without cluster mode."

/** Found when a client connects: before any call. */
export const placementSplit = (split: readonly SplitPart[], where: string) =>
  new SchemaError(
    "PLACEMENT.SPLIT",
    `${split.length === 1 ? "one part of this schema is" : `${split.length} parts of this schema are`} not in one slot of the cluster ${where}: ${split.map(described).join("; ")}`,
    {
      why: WHY,
      fix: `${[...new Set(split.map(({ proposal }) => proposal))].slice(0, 3).join(" or ")}; or accept what is refused by its name: acceptSplit: ${JSON.stringify(split.map(({ name }) => name))}.`,
      details: { split },
    },
  )

const described = ({ name, kind, apart }: SplitPart): string =>
  `the ${kind} ${name}${apart === undefined ? "" : ` (${apart.join(" and ")})`}`

export const placementUnknown = (name: string, known: readonly string[]) =>
  new SchemaError(
    "PLACEMENT.UNKNOWN_NAME",
    `acceptSplit names ${JSON.stringify(name)}, which this schema does not have`,
    {
      fix:
        known.length === 0
          ? "Nothing in this schema can be split: leave acceptSplit out."
          : `It has ${known.join(", ")}.`,
    },
  )

/** Found when a call is about to be made: a transaction, or an operation that was accepted as split. Keys as they may be shown. */
export const callSplit = (what: string, one: string, other: string) =>
  new SchemaError("PLACEMENT.SPLIT", `${what} needs keys of several slots, which a cluster cannot handle in one step`, {
    why: `For example ${one} and ${other}. ${WHY}`,
    fix: HASH_TAG,
  })
