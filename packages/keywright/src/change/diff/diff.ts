/* What a change of schema breaks, before it breaks it: two keyspaces in their JSON form, and
 * every change from the one to the other with what it does to programs that still run the old one.
 *
 *   forms → sides (groups resolved) → entries matched → one comparison for each subject
 *   (…-changes.ts) → the table's verdicts (change-codes.ts) → level and order (verdict.ts)
 *
 * Pure: nothing is read or asked. */

import { keyspaceTooSlow } from "../../errors/keyspace.ts"
import { withinTime } from "../../files/within-time.ts"
import type { KeyspaceForm } from "../../schema/json/form.ts"
import { changeOf, type Change, type FoundChange } from "./change.ts"
import { drainChanges } from "./drain-changes.ts"
import { entityChanges } from "./entity-changes.ts"
import { memberChanges } from "./family-changes.ts"
import { keyChanges } from "./key-changes.ts"
import { match, type Matched, type RenameQuestion, type Renames } from "./match.ts"
import { patternChanges } from "./pattern-changes.ts"
import { reservedChanges } from "./reserved-changes.ts"
import { ruleChanges } from "./rule-changes.ts"
import { shadowing } from "./shadowing.ts"
import { sideOf, type SideEntry, type SchemaSide } from "./side.ts"
import { withoutTakenOver } from "./taken-over.ts"
import { withTypeClashes } from "./type-clashes.ts"
import { levelTogether, orderTogether, type Level, type RolloutOrder } from "./verdict.ts"

export interface Difference {
  readonly changes: readonly Change[]
  /** Entries that may have been renamed: say so with `was`, or they count as gone and new. */
  readonly questions: readonly RenameQuestion[]
  /** For all changes together: the worst of their levels, and an order that suits them all. */
  readonly level: Level
  readonly order: RolloutOrder
}

export interface DiffOptions {
  /** What had another name: entries, or fields of entries (`order.note` → `order.remark`). */
  readonly renames?: Readonly<Record<string, string>>
  /** When it is given up. Default: after a minute. */
  readonly timeoutMs?: number
}

/** Compares two keyspaces: `diffSchemas(toJson(before), toJson(after)).changes`. */
export const diffSchemas = (before: KeyspaceForm, after: KeyspaceForm, options: DiffOptions = {}): Difference =>
  withinTime(() => compared(before, after, options), keyspaceTooSlow, options.timeoutMs)

function compared(before: KeyspaceForm, after: KeyspaceForm, options: DiffOptions): Difference {
  const [one, other] = [sideOf(before), sideOf(after)]
  const renames = new Map(Object.entries(options.renames ?? {}))
  const matched = match(one, other, renames)
  const changes = foundIn(one, other, matched, renames).map(changeOf)
  return differenceOf(changes, matched.questions)
}

/** The whole of some changes. */
export const differenceOf = (changes: readonly Change[], questions: readonly RenameQuestion[]): Difference => ({
  changes,
  questions,
  level: levelTogether(changes.map(({ level }) => level)),
  order: orderTogether(changes.map(({ order }) => order)),
})

function foundIn(before: SchemaSide, after: SchemaSide, matched: Matched, renames: Renames): FoundChange[] {
  const { pairs, added, removed, split, merged } = matched
  const renamed = new Map(pairs.map(([one, other]) => [one.path, other.path]))
  const shadows = shadowing(before, after, matched)
  const found = [
    ...removed.map((entry) => shadows.get(entry.path) ?? gone(entry)),
    ...added.map((entry) => shadows.get(entry.path) ?? come(entry)),
    ...memberChanges(before, after, matched),
    ...split.map(([one, are]): FoundChange => ({
      code: "PATTERN.SPLIT",
      path: one.path,
      what: `${one.key.pattern} → ${are.map(({ key }) => key.pattern).join(", ")}`,
      oldKey: one.key.name,
    })),
    ...merged.map(([were, other]): FoundChange => ({
      code: "PATTERN.MERGED",
      path: other.path,
      what: `${were.map(({ key }) => key.pattern).join(", ")} → ${other.key.pattern}`,
      oldKey: were[0]!.key.name,
      newKey: other.key.name,
    })),
    ...pairs.flatMap(([one, other]) => pairChanges(one, other, renames)),
    ...ruleChanges(before, after, renamed),
    ...drainChanges(before, after, renamed, matched),
    ...reservedChanges(before, after, pairs),
  ]
  return withoutTakenOver(withTypeClashes(found, before, after, pairs), before, after)
}

function pairChanges(before: SideEntry, after: SideEntry, renames: Renames): FoundChange[] {
  const { path } = after
  const keys = { oldKey: before.key.name, newKey: after.key.name }
  const renamed: FoundChange = { code: "NAME.ENTRY", path, what: `${before.path} → ${path}`, ...keys }
  const isStored = before.entity && after.entity && before.entity.store.as !== after.entity.store.as
  return [
    ...(before.path === path ? [] : [renamed]),
    ...patternChanges(before.key, after.key, path),
    ...keyChanges(before.key, after.key, path, renames).map((one): FoundChange =>
      // Records are never written blindly: both sides are refused.
      isStored && one.code === "KIND.TYPE" ? { code: "STORE.CHANGED", path, what: one.what, ...keys } : one,
    ),
    ...entityChanges(before, after),
  ]
}

const gone = ({ path, key }: SideEntry): FoundChange => ({
  code: "PATTERN.REMOVED",
  path,
  what: key.pattern,
  oldKey: key.name,
})

const come = ({ path, key }: SideEntry): FoundChange => ({
  code: "PATTERN.ADDED",
  path,
  what: key.pattern,
  newKey: key.name,
})
