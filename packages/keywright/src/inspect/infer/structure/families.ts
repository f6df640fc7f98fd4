/* Families: keys with the same parameters that go away at the same moment. */

import { groupBy } from "../../../schema/group-by.ts"
import type { Pattern } from "../mine/pattern.ts"
import { keyOf, paramsIn, probe } from "../mine/records.ts"
import type { KeySource } from "../source.ts"

const MOST_TRIED = 100

export async function familiesOf(patterns: readonly Pattern[], ask: KeySource["ask"]): Promise<(readonly Pattern[])[]> {
  const expiring = patterns.filter(
    ({ row, of }) => row.params.length > 0 && of.ttls.class !== "none" && of.ttls.class !== "mixed",
  )
  const groups = [...groupBy(expiring, (pattern) => `${pattern.db} ${head(pattern)}`).values()].filter(
    (group) => group.length > 1,
  )
  const found = await Promise.all(groups.map((group) => together(group, ask)))
  return found.filter((family) => family.length > 1)
}

/** Everything up to the last parameter, and only patterns in which nothing but literals follows. */
const head = ({ row }: Pattern): string => {
  const last = row.parts.findLastIndex((part) => typeof part !== "string")
  return row.parts
    .slice(0, last + 1)
    .map((part) => (typeof part === "string" ? part : "{}"))
    .join("")
}

/** The patterns of the group whose keys end at the same moment as those of most others. */
async function together(group: readonly Pattern[], ask: KeySource["ask"]): Promise<readonly Pattern[]> {
  // If a parameter contains a separator, its texts are not known.
  const known = group.flatMap((pattern) =>
    [...pattern.of.examples, ...pattern.of.latest.filter(Boolean)]
      .map((key) => paramsIn(pattern, key))
      .filter((own) => own.length > 0),
  )
  const texts = new Map(known.map((own) => [own.join("\n"), own]))
  const tried = [...texts.values()].slice(0, MOST_TRIED)
  const answers = await ask(tried.flatMap((own) => group.map((pattern) => probe(pattern, keyOf(pattern, own)))))
  const same = group.map(() => ({ yes: 0, no: 0 }))
  tried.forEach((_, i) => {
    const deadlines = group.map((_one, j) => answers[i * group.length + j]?.deadline)
    const sorted = deadlines.filter((one) => one !== undefined).sort((a, b) => a - b)
    const middle = sorted[sorted.length >> 1]
    if (sorted.length < 2 || middle === undefined) return
    deadlines.forEach((deadline, j) => {
      if (deadline === undefined) return
      if (deadline === middle) same[j]!.yes++
      else same[j]!.no++
    })
  })
  return group.filter((_, j) => same[j]!.yes >= 1 && same[j]!.no === 0)
}
