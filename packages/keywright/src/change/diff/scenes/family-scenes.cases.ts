/* Keys that live and die together. */

import { family, keyspace, scope, set, text, type Keyspace } from "../../../index.ts"
import { cleared, foundBy, isSame, outcomeOf, type SceneContext } from "../experiment/scene-context.cases.ts"
import { worst, type Any, type Outcome } from "../experiment/program.cases.ts"
import type { Verdicts } from "../verdict.ts"
import type { Scene } from "./scene.cases.ts"

const hour = 3_600_000
const [a, b] = [set("a", text), set("b", text)]
const apart = keyspace({ f: scope("f:{id}:", { a, b }, { ttl: "3h" }) }) as Keyspace
const together = keyspace({ f: family("f:{id}:", { ttl: "3h" }, { a, b }) }) as Keyspace
const fewer = keyspace({ f: family("f:{id}:", { ttl: "3h" }, { a }) }) as Keyspace
const marked = (marker: "a" | "b") => keyspace({ f: family("f:{id}:", { ttl: "3h", marker }, { a, b }) }) as Keyspace

const bound = (db: Any) => db.f({ id: "1" })
const left = async (db: Any, name: string) => (await bound(db)[name]().ttl()) as number
const aged = ({ driver }: SceneContext, name: string, ms: number) => driver.send(["PEXPIRE", `f:1:${name}`, String(ms)])
/** Only their expiry distinguishes the members of a family from separate keys. */
const endTogether = async (db: Any) => Math.abs((await left(db, "a")) - (await left(db, "b"))) < hour / 60

/** Programs that know a family, and programs that know its keys only one by one. */
async function familyAndKeys(context: SceneContext, whoHasFamily: "old" | "now"): Promise<Verdicts> {
  const [whole, single] = whoHasFamily === "now" ? [context.now, context.old] : [context.old, context.now]
  // A family that was filled an hour ago, and written to since: its deadline has not moved.
  await cleared(context)
  await bound(whole).$fill({ a: ["1"], b: ["2"] })
  for (const name of ["a", "b"]) await aged(context, name, 2 * hour)
  await bound(whole).a().add("3")
  const singleReads = await outcomeOf(async () => (await left(single, "a")) > 3 * hour - hour / 60)
  // One key of the family, written by itself: the whole has two deadlines.
  await bound(single).a().add("4")
  const singleWrites = await outcomeOf(() => endTogether(whole))
  const singleUpdates = await outcomeOf(
    async () => (await bound(single).a().has("4")) && (await left(single, "a")) > 3 * hour - hour / 60,
  )
  // Keys that were written one by one, one of which has ended: the family looks loaded, and is not.
  await cleared(context)
  await bound(single).a().add("1")
  await bound(single).b().add("2")
  await context.driver.send(["DEL", "f:1:b"])
  const wholeReads = await outcomeOf(async () => isSame(await bound(whole).$read(), { a: ["1"], b: ["2"] }))
  // Filled as a whole, over what was written to single keys.
  await bound(single).a().add("5")
  await bound(whole).$fill({ a: ["1"], b: ["2"] })
  const wholeWrites = await outcomeOf(() => bound(single).a().has("5"))
  const wholeUpdates = await outcomeOf(async () => isSame(await bound(whole).$read(), { a: ["1"], b: ["2"] }))
  return whoHasFamily === "now"
    ? { oldReader: singleReads, newReader: wholeReads, oldWriter: singleWrites, newWriter: wholeUpdates }
    : { oldReader: wholeReads, newReader: singleReads, oldWriter: wholeWrites, newWriter: singleUpdates }
}

interface Filled {
  /** What the source has when this side fills. */
  readonly source: Any
  /** The members that this side knows. */
  readonly members: readonly string[]
}

/** One side knows a member more, or another marker: each fills what it knows, and reads what it knows. */
async function twoFamilies(
  context: SceneContext,
  sides: { readonly old: Filled; readonly now: Filled },
): Promise<Verdicts> {
  const known = ({ members }: Filled, source: Any) => Object.fromEntries(members.map((name) => [name, source[name]]))
  const fill = (side: "old" | "now") => bound(context[side]).$fill(known(sides[side], sides[side].source))
  const reads = (side: "old" | "now", writer: "old" | "now"): Promise<Outcome> =>
    outcomeOf(async () => isSame(await bound(context[side]).$read(), known(sides[side], sides[writer].source)))
  await cleared(context)
  await fill("now")
  const oldReader = await reads("old", "now")
  await fill("old")
  const oldWriter = worst([
    await reads("now", "old"),
    (await foundBy(context.scene.after, context)).length === 0 ? "works" : "silent",
  ])
  await cleared(context)
  await fill("old")
  const newReader = await reads("now", "old")
  await fill("now")
  return { oldReader, newReader, oldWriter, newWriter: await reads("now", "now") }
}

const one = { a: ["1"], b: ["1"] }
const two = { a: ["2"], b: ["2"] }

export const familyScenes: readonly Scene[] = [
  {
    title: "FAMILY.CHANGED: keys become a family",
    codes: ["FAMILY.CHANGED", "FAMILY.CHANGED"],
    before: apart,
    after: together,
    meets: (context) => familyAndKeys(context, "now"),
  },
  {
    title: "FAMILY.CHANGED: a family falls apart",
    codes: ["FAMILY.CHANGED", "FAMILY.CHANGED"],
    before: together,
    after: apart,
    meets: (context) => familyAndKeys(context, "old"),
  },
  {
    title: "FAMILY.CHANGED: another marker",
    codes: ["FAMILY.CHANGED", "FAMILY.CHANGED"],
    before: marked("a"),
    after: marked("b"),
    meets: (context) =>
      twoFamilies(context, {
        old: { source: { a: ["1"], b: [] }, members: ["a", "b"] },
        now: { source: { a: [], b: ["2"] }, members: ["a", "b"] },
      }),
  },
  {
    title: "FAMILY.CHANGED: a member more",
    codes: ["FAMILY.CHANGED", "PATTERN.ADDED"],
    before: fewer,
    after: together,
    meets: (context) =>
      twoFamilies(context, { old: { source: one, members: ["a"] }, now: { source: two, members: ["a", "b"] } }),
  },
  {
    title: "FAMILY.CHANGED: a member less",
    codes: ["FAMILY.CHANGED", "PATTERN.REMOVED"],
    before: together,
    after: fewer,
    meets: (context) =>
      twoFamilies(context, { old: { source: one, members: ["a", "b"] }, now: { source: two, members: ["a"] } }),
  },
]
