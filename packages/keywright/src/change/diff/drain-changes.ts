/* Drains, matched by their names, with the names that entries have now. Their own keys are not
 * entries: what becomes of them follows from the drain. */

import { drainKeyNames } from "../../schema/drain.ts"
import type { DrainForm } from "../../schema/json/form.ts"
import type { FoundChange } from "./change.ts"
import type { SideEntry, SchemaSide } from "./side.ts"

/** `renamed`: the new names of entries that had another. */
export function drainChanges(
  before: SchemaSide,
  after: SchemaSide,
  renamed: ReadonlyMap<string, string>,
  added: readonly SideEntry[],
  removed: readonly SideEntry[],
): FoundChange[] {
  const [olds, news] = [drainsIn(before), drainsIn(after)]
  return [
    ...[...news]
      .filter(([name]) => !olds.has(name))
      .map(([name, drain]): FoundChange => ({
        code: "DRAIN.ADDED",
        path: pathOf(name),
        what: drainText(drain),
        ...(areBothIn(added, drain) && unused),
      })),
    ...[...olds]
      .filter(([name]) => !news.has(name))
      .map(([name, drain]): FoundChange => ({
        code: "DRAIN.REMOVED",
        path: pathOf(name),
        what: drainText(drain),
        leftovers: ownPatterns(before, name, drain, ["out", "note", "drained"]),
        ...(areBothIn(removed, drain) && abandoned),
      })),
    ...[...olds].flatMap(([name, drain]) =>
      news.has(name) ? endChanges(before, name, drain, news.get(name)!, renamed) : [],
    ),
  ]
}

/** Nobody used either of the two keys. */
const unused = { oldReader: "works", newReader: "works", oldWriter: "works", newWriter: "works" } as const
/** Its keys are gone, too: as with any pattern, only old programs know them. */
const abandoned = {
  oldReader: "silent",
  newReader: "n/a",
  oldWriter: "silent",
  newWriter: "n/a",
  data: "purge",
} as const

function endChanges(
  before: SchemaSide,
  name: string,
  was: DrainForm,
  is: DrainForm,
  renamed: ReadonlyMap<string, string>,
): FoundChange[] {
  const path = pathOf(name)
  const [from, into] = [was.from, was.into].map((end) => renamed.get(end) ?? end)
  const source: FoundChange[] =
    from === is.from
      ? []
      : [
          {
            code: "DRAIN.SOURCE",
            path,
            what: `${was.from} → ${is.from}`,
            leftovers: ownPatterns(before, name, was, ["out", "note"]),
          },
        ]
  const target: FoundChange[] =
    into === is.into ? [] : [{ code: "DRAIN.TARGET", path, what: `${was.into} → ${is.into}` }]
  return [...source, ...target]
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
