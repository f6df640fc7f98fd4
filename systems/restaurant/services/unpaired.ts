/* A user's cart is in two indexes. An entry that leads nowhere, and has no twin, is wrong in two
 * places: the missing twin is reported as well, and is resolved with the other (RST-35). */

import { classifier, keyFormat } from "keywright"
import { inspectKey, type Finding } from "keywright/operate"
import type { RestaurantContext } from "../context.ts"

export type ShownFinding = Omit<Finding, "target">

const LEADS_NOWHERE = /^(UNIQUE|MIRROR)\.DANGLING$/

export async function unpairedCarts(
  db: RestaurantContext["db"],
  findings: readonly Finding[],
): Promise<ShownFinding[]> {
  const { owner } = classifier(db.$keyspace.keys)
  const twins = db.$keyspace.keys.filter(({ entity }) => entity?.name === "cart" && entity.index === "user")
  const told = new Set(findings.map(({ key }) => key))
  const unpaired: ShownFinding[] = []
  for (const { code, db: at, key, target } of findings) {
    const here = LEADS_NOWHERE.test(code) ? owner(String(target.key)) : undefined
    const twin = twins.includes(here?.key as never) ? twins.find((one) => one !== here!.key) : undefined
    if (twin === undefined) continue
    const twinKey = keyFormat(twin.pattern, twin.params).build(here!.params)
    if (told.has(twinKey) || (await inspectKey(db.$keyspace, db.$driver(), twinKey)).type !== "none") continue
    unpaired.push({
      code: "MIRROR.MISSING",
      db: at,
      pattern: twin.pattern,
      key: twinKey,
      expected: `the same as ${key}`,
      found: "no such entry",
      fixable: true,
    })
  }
  return unpaired
}
