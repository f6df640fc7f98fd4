/* Which entry of the new schema is which of the old one. By name; else by what the schema or the
 * caller says (`was`, renames); else by an equal pattern, which is a rename in the source alone.
 * Other similarities lead to a question, never to a guess. */

import type { SideEntry, SchemaSide } from "./side.ts"
import { patternShape } from "./pattern-shape.ts"

export interface Matched {
  readonly pairs: readonly (readonly [before: SideEntry, after: SideEntry])[]
  readonly added: readonly SideEntry[]
  readonly removed: readonly SideEntry[]
  /** One that became several, and several that became one. */
  readonly split: readonly (readonly [before: SideEntry, after: readonly SideEntry[]])[]
  readonly merged: readonly (readonly [before: readonly SideEntry[], after: SideEntry])[]
  readonly questions: readonly RenameQuestion[]
}

/** Was the one renamed to the other? Until somebody says so, the one went and the other is new. */
export interface RenameQuestion {
  readonly before: string
  readonly after: string
}

/** Names of entries and fields, from the old schema to the new one. */
export type Renames = ReadonlyMap<string, string>

export function match(before: SchemaSide, after: SchemaSide, renames: Renames): Matched {
  const [gone, come] = [new Map(before.entries), new Map(after.entries)]
  const pairs: [SideEntry, SideEntry][] = []
  const pair = (one: SideEntry, other: SideEntry) => {
    pairs.push([one, other])
    gone.delete(one.path)
    come.delete(other.path)
  }
  for (const [path, one] of before.entries) {
    const other = come.get(renames.get(path) ?? path)
    if (other) pair(one, other)
  }
  const { split, merged } = severalFor(gone, come, pairs)
  for (const other of [...come.values()]) {
    const one = [...gone.values()].find((entry) => isSaid(entry, other))
    if (one) pair(one, other)
  }
  for (const one of [...gone.values()]) {
    const other = [...come.values()].find((entry) => isSamePlace(one, entry))
    if (other) pair(one, other)
  }
  const [removed, added] = [[...gone.values()], [...come.values()]]
  return { pairs, added, removed, split, merged, questions: questionsOf(removed, added) }
}

/** Several new entries that were one, or one that was several: taken out of both. */
function severalFor(
  gone: Map<string, SideEntry>,
  come: Map<string, SideEntry>,
  pairs: readonly (readonly [SideEntry, SideEntry])[],
): Pick<Matched, "split" | "merged"> {
  // An entry that stays may give a part of its keys to others, or take others in.
  const beside = pairs.flatMap(([one, other]) => {
    const [are, were] = [
      [...come.values()].filter((to) => isSaid(one, to)),
      [...gone.values()].filter((from) => isSaid(from, other)),
    ]
    for (const { path } of are) come.delete(path)
    for (const { path } of were) gone.delete(path)
    return [{ one, other, are, were }]
  })
  const merged = [...come.values()].flatMap((other) => {
    const were = [...gone.values()].filter((one) => isSaid(one, other))
    return were.length > 1 ? [[were, other] as const] : []
  })
  for (const [were, other] of merged) {
    for (const one of were) gone.delete(one.path)
    come.delete(other.path)
  }
  const split = [...gone.values()].flatMap((one) => {
    const are = [...come.values()].filter((other) => isSaid(one, other))
    return are.length > 1 ? [[one, are] as const] : []
  })
  for (const [one, are] of split) {
    gone.delete(one.path)
    for (const other of are) come.delete(other.path)
  }
  return {
    split: [
      ...split,
      ...beside.flatMap(({ one, other, are }) => (are.length > 0 ? [[one, [other, ...are]] as const] : [])),
    ],
    merged: [
      ...merged,
      ...beside.flatMap(({ one, other, were }) => (were.length > 0 ? [[[one, ...were], other] as const] : [])),
    ],
  }
}

/** A note of the new schema; or, when a rename is taken back, of the old one. */
const isSaid = (one: SideEntry, other: SideEntry): boolean =>
  other.was.includes(one.path) || one.was.includes(other.path)

const isSamePlace = (one: SideEntry, other: SideEntry): boolean =>
  one.key.db === other.key.db &&
  one.key.kind === other.key.kind &&
  patternShape(one.key.pattern) === patternShape(other.key.pattern)

/** Those that hold the same. */
function questionsOf(removed: readonly SideEntry[], added: readonly SideEntry[]): RenameQuestion[] {
  return removed.flatMap((one) => {
    const alike = added.filter((other) => one.key.kind === other.key.kind && shapeText(one) === shapeText(other))
    return alike.length === 1 ? [{ before: one.path, after: alike[0]!.path }] : []
  })
}

const shapeText = ({ key }: SideEntry): string =>
  JSON.stringify(key.shape, (_, part: unknown) =>
    typeof part === "object" && part !== null && "spec" in part ? part.spec : part,
  )
