/* Patterns that come, go, split, merge and shadow each other, and names that are used again. */

import * as z from "zod"
import {
  counter,
  hash,
  json,
  keyspace,
  list,
  optional,
  set,
  string,
  text,
  unixMillis,
  unixSeconds,
  type Keyspace,
} from "../../../index.ts"
import { cleared, foundBy, isSame, outcomeOf, type SceneContext } from "../experiment/scene-context.cases.ts"
import { both, meetOverOne } from "../experiment/happened.cases.ts"
import { worst, type Any } from "../experiment/program.cases.ts"
import type { Verdicts } from "../verdict.ts"
import { forever, type Scene } from "./scene.cases.ts"

const x = string("x:{id}", text)
const alone = keyspace({ x }, forever) as Keyspace
const withNew = keyspace({ x, y: set("y:{id}", text) }, forever) as Keyspace

/** Those of the entry that both have, and those of the one that only one of them has. */
async function come(context: SceneContext): Promise<Verdicts> {
  const { scene, old, now, driver } = context
  const others = await meetOverOne(scene, old, now, driver)
  await cleared(context)
  await old.x({ id: "1" }).set("a")
  const newReader = await outcomeOf(async () => (await now.y({ id: "1" }).members()).length === 0)
  const newWriter = await outcomeOf(async () => (await now.y({ id: "1" }).add("m"), true))
  const nothing = (await foundBy(scene.after, context)).length === 0 ? "works" : "silent"
  return both(others, { oldReader: "works", newReader, oldWriter: nothing, newWriter })
}

async function go(context: SceneContext): Promise<Verdicts> {
  const { scene, old, now } = context
  await cleared(context)
  // A program that knows only the new schema has no way to read or write it.
  const known = "y" in now ? "works" : "n/a"
  // All that old readers wait for are new writers, and they do not write it.
  const oldReader = await outcomeOf(async () => (await old.y({ id: "1" }).members()).length > 0)
  await old.y({ id: "1" }).add("m")
  const oldWriter = (await foundBy(scene.after, context)).includes("KEY.UNKNOWN") ? "silent" : "works"
  return { oldReader, newReader: known, oldWriter, newWriter: known }
}

// ── shadowing ──────────────────────────────────────────────────────────────

interface Taker {
  readonly title: string
  readonly entry: Any
  write(handle: Any, who: string): Promise<unknown>
  read(handle: Any): Promise<unknown>
}

const takers = {
  // Digits: what also a counter takes for its own.
  string: { title: "a string", entry: string, write: (h, who) => h.set(String(who.length)), read: (h) => h.get() },
  set: { title: "a set", entry: set, write: (h, who) => h.add(who), read: (h) => h.members() },
  list: { title: "a list", entry: list, write: (h, who) => h.pushRight(who), read: (h) => h.range(0, -1) },
  counter: {
    title: "a counter",
    entry: (pattern: string) => counter(pattern as never),
    write: (h, who) => h.set(who.length),
    read: async (h) => ((await h.exists()) ? h.get() : undefined),
  },
  document: {
    title: "a document",
    entry: (pattern: string) => string(pattern as never, json(z.object({ a: z.string() }))),
    write: (h, who) => h.set({ a: who }),
    read: (h) => h.get(),
  },
} satisfies Record<string, Taker>

/** `cart:{id}` is one kind; `cart:list` is another, and only one of the two schemas knows it. */
function shadows(wide: Taker, literal: Taker): [Scene, Scene] {
  const without = keyspace({ cart: wide.entry("cart:{id}", text) }, forever) as Keyspace
  const and = keyspace(
    { cart: wide.entry("cart:{id}", text), list: literal.entry("cart:list", text) },
    forever,
  ) as Keyspace
  const title = `${literal.title} takes keys of ${wide.title}`
  return [
    {
      title,
      codes: ["PATTERN.SHADOWS"],
      before: without,
      after: and,
      meets: (context) => shadowed(context, wide, literal, "now"),
    },
    {
      title: `${title}, and gives them back`,
      codes: ["PATTERN.UNSHADOWS"],
      before: and,
      after: without,
      meets: (context) => shadowed(context, wide, literal, "old"),
    },
  ]
}

const nothing = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 0)

/** `knows`: whose schema has the literal pattern. */
async function shadowed(context: SceneContext, wide: Taker, literal: Taker, knows: "old" | "now"): Promise<Verdicts> {
  const [one, other] = knows === "now" ? [context.now, context.old] : [context.old, context.now]
  const cart = (db: Any) => db.cart({ id: "list" })
  const isUnchanged = async (read: () => Promise<unknown>, write: () => Promise<unknown>) => {
    const before = await read()
    await write()
    return isSame(before, await read().catch(() => undefined))
  }
  // A program that knows it: the id is refused, and under its own name is something that it has not stored.
  await cleared(context)
  await wide.write(cart(other), "wide")
  const reads = worst([
    await outcomeOf(async () => nothing(await wide.read(cart(one)))),
    await outcomeOf(async () => nothing(await literal.read(one.list()))),
  ])
  const writes = await outcomeOf(() =>
    isUnchanged(
      () => wide.read(cart(other)),
      () => literal.write(one.list(), "literal"),
    ),
  )
  // A program that does not: under its own id is something that it has not stored.
  await cleared(context)
  await literal.write(one.list(), "literal")
  const finds = await outcomeOf(async () => nothing(await wide.read(cart(other))))
  const overwrites = await outcomeOf(() =>
    isUnchanged(
      () => literal.read(one.list()),
      () => wide.write(cart(other), "wide"),
    ),
  )
  return knows === "now"
    ? { oldReader: finds, newReader: reads, oldWriter: overwrites, newWriter: writes }
    : { oldReader: reads, newReader: finds, oldWriter: writes, newWriter: overwrites }
}

// ── one that becomes several ───────────────────────────────────────────────

const several = (second: string) =>
  keyspace(
    { a: string("a:{id}", text, { was: "x" }), b: string(second as "b:{id}", text, { was: "x" }) },
    forever,
  ) as Keyspace

async function eachPart(
  { scene, old, now, driver }: SceneContext,
  names: readonly [string, string][],
): Promise<Verdicts> {
  const found = []
  for (const pair of names) found.push(await meetOverOne({ ...scene, names: pair }, old, now, driver))
  return found.reduce(both)
}

const split = (second: string): [Scene, Scene] => [
  {
    title: `PATTERN.SPLIT, one part is ${second}`,
    codes: ["PATTERN.SPLIT"],
    before: alone,
    after: several(second),
    meets: (context) =>
      eachPart(context, [
        ["x", "a"],
        ["x", "b"],
      ]),
  },
  {
    title: `PATTERN.MERGED, one part was ${second}`,
    codes: ["PATTERN.MERGED"],
    before: several(second),
    after: alone,
    meets: (context) =>
      eachPart(context, [
        ["a", "x"],
        ["b", "x"],
      ]),
  },
]

// ── names that are used again ──────────────────────────────────────────────

const reused: readonly Scene[] = [
  {
    title: "NAME.REUSED",
    codes: ["NAME.REUSED", "PATTERN.ADDED"],
    earlier: keyspace({ x: string("x:{id}", unixSeconds) }, forever) as Keyspace,
    before: keyspace({ other: string("other", text) }, { ...forever, reserved: ["x"] }) as Keyspace,
    after: keyspace({ other: string("other", text), x: string("x:{id}", unixMillis) }, forever) as Keyspace,
  },
  {
    title: "FIELD.REUSED",
    codes: ["FIELD.REUSED", "FIELD.ADDED"],
    earlier: keyspace({ x: hash("x:{id}", { a: text, at: optional(unixSeconds) }) }, forever) as Keyspace,
    before: keyspace({ x: hash("x:{id}", { a: text }, { reserved: ["at"] }) }, forever) as Keyspace,
    after: keyspace({ x: hash("x:{id}", { a: text, at: optional(unixMillis) }) }, forever) as Keyspace,
  },
]

export const arrivalScenes: readonly Scene[] = [
  { title: "PATTERN.ADDED", codes: ["PATTERN.ADDED"], before: alone, after: withNew, meets: come },
  { title: "PATTERN.REMOVED", codes: ["PATTERN.REMOVED"], before: withNew, after: alone, meets: go },
  ...shadows(takers.string, takers.set),
  ...shadows(takers.set, takers.string),
  ...shadows(takers.set, takers.list),
  ...shadows(takers.string, takers.string),
  ...shadows(takers.set, takers.set),
  ...shadows(takers.string, takers.counter),
  ...shadows(takers.counter, takers.string),
  ...shadows(takers.document, takers.counter),
  ...split("b:{id}"),
  ...split("x:{id}"),
  ...reused,
]
