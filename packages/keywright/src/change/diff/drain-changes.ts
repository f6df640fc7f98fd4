/* Drains, matched by their names and by what they take from, with the names that entries have now. Their own keys are not
 * entries: what becomes of them follows from the drain. */

import { drainKeyNames } from "../../schema/drain.ts"
import type { DrainForm } from "../../schema/json/form.ts"
import type { FoundChange } from "./change.ts"
import { cells, works } from "./codes/row.ts"
import { durabilityChanges } from "./durability-changes.ts"
import type { Matched, Renames } from "./match.ts"
import type { SideEntry, SchemaSide } from "./side.ts"

/** `renamed`: the new names of entries that had another. */
export function drainChanges(
  before: SchemaSide,
  after: SchemaSide,
  renamed: Renames,
  { added, removed }: Matched,
): FoundChange[] {
  const olds = drainsIn(before)
  const news = new Map(drainsIn(after))
  /** A source has one drain: so this is the same one, whatever it is called. */
  const renamedTo = ({ from }: DrainForm) =>
    [...news].find(([name, drain]) => !olds.has(name) && drain.from === (renamed.get(from) ?? from))
  const changes: FoundChange[] = []
  for (const [name, was] of olds) {
    const [now, is] = news.has(name) ? [name, news.get(name)] : (renamedTo(was) ?? [])
    if (now === undefined || is === undefined) {
      changes.push({
        code: "DRAIN.REMOVED",
        path: pathOf(name),
        what: drainText(was),
        leftovers: ownPatterns(before, name, was, ["out", "note", "drained"]),
        ...(areBothIn(removed, was) && abandoned),
      })
      continue
    }
    news.delete(now)
    if (now !== name)
      changes.push({
        code: "DRAIN.RENAMED",
        path: pathOf(now),
        what: `${name} → ${now}`,
        leftovers: ownPatterns(before, name, was, ["drained"]),
      })
    changes.push(...endChanges(before, [name, now], was, is, renamed), ...durabilityChanges(was, is, pathOf(now)))
  }
  for (const [name, drain] of news)
    changes.push({
      code: "DRAIN.ADDED",
      path: pathOf(name),
      what: drainText(drain),
      // Nobody used either of the two keys.
      ...(areBothIn(added, drain) && works),
    })
  return changes
}

/** Its keys are gone, too: as with any pattern, only old programs know them. */
const abandoned = { ...cells("silent", "n/a", "silent", "n/a"), data: "purge" } as const

function endChanges(
  before: SchemaSide,
  [name, now]: readonly [was: string, is: string],
  was: DrainForm,
  is: DrainForm,
  renamed: Renames,
): FoundChange[] {
  const path = pathOf(now)
  const [from, into] = [was.from, was.into].map((end) => renamed.get(end) ?? end)
  const found: FoundChange[] = []
  if (from !== is.from) {
    const leftovers = ownPatterns(before, name, was, ["out", "note"])
    found.push({ code: "DRAIN.SOURCE", path, what: `${was.from} → ${is.from}`, leftovers })
  }
  if (into !== is.into) found.push({ code: "DRAIN.TARGET", path, what: `${was.into} → ${is.into}` })
  return found
}

const drainsIn = ({ form }: SchemaSide): ReadonlyMap<string, DrainForm> => new Map(Object.entries(form.drains ?? {}))

const pathOf = (name: string): string => `$drains.${name}`

const drainText = ({ from, into }: DrainForm): string => `${from} → ${into}`

const areBothIn = (entries: readonly SideEntry[], { from, into }: DrainForm): boolean =>
  [from, into].every((end) => entries.some(({ path }) => path === end))

type OwnKey = keyof ReturnType<typeof drainKeyNames>

function ownPatterns({ keyspace }: SchemaSide, name: string, drain: DrainForm, which: readonly OwnKey[]): string[] {
  const names = drainKeyNames(name, drain)
  return which.flatMap((one) => keyspace.keys.find((key) => key.name === names[one])?.pattern ?? [])
}
