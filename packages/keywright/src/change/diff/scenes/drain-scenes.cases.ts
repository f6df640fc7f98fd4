/* What is added up in shards and moved into one key. */

import { counter, drain, keyspace, sharded, string, text, type Keyspace } from "../../../index.ts"
import { worst, type Any, type Outcome } from "../experiment/program.cases.ts"
import { cleared, outcomeOf, type SceneContext } from "../experiment/scene-context.cases.ts"
import type { Verdicts } from "../verdict.ts"
import { forever, type Scene } from "./scene.cases.ts"

const keys = {
  shard: sharded(4, "token", { a: counter("a"), b: counter("b") }),
  p: counter("p"),
  q: counter("q"),
}
const params = { token: text }
const without = keyspace(keys, { ...forever, params }) as Keyspace
const drained = (from: "shard.a" | "shard.b", into: "p" | "q", name = "sum") =>
  keyspace(keys, { ...forever, params, drains: { [name]: drain({ from, into }) } }) as Keyspace

/** A program that counts, and says how much all have counted. */
interface Counting {
  add(): Promise<unknown>
  total(): Promise<number>
  /** A pass, where it has a drain. */
  pass(): Promise<unknown>
}

const inShard = (db: Any, name: string) => db.shard({ token: "t" })[name]()

const draining = (db: Any, from: "a" | "b", name = "sum"): Counting => ({
  add: () => inShard(db, from).increment(),
  total: () => db.$drains[name].get(),
  pass: () => db.$drains[name].run(),
})

/** Its passes die after the target has a batch, before it is let go. */
const dying = (db: Any, { driver }: SceneContext, name: string): Counting => ({
  ...draining(db, "a", name),
  async pass() {
    const { key } = inShard(db, "a")
    const amount = await driver.send(["GET", key])
    await db.$drains[name].run()
    if (amount !== null) await driver.send(["SET", `${key}:out`, String(amount)])
  },
})

/** Programs that know no drain, and use one of its two keys by itself. */
const withoutDrain = (db: Any): Counting[] =>
  [db.p(), inShard(db, "a")].map((key) => ({
    add: () => key.increment(),
    total: async () => (await key.get()) ?? 0,
    pass: async () => undefined,
  }))

async function count(context: SceneContext, old: Counting, now: Counting): Promise<Verdicts<Outcome>> {
  /** At any moment: before, between and after the passes of both, the other's first. */
  const sees = async (who: Counting, total: number) => {
    const isRight = () => outcomeOf(async () => (await who.total()) === total)
    const found = [await isRight()]
    for (const { pass } of who === old ? [now, old] : [old, now]) {
      await pass()
      found.push(await isRight())
    }
    return worst(found)
  }
  const after = async (...adding: readonly Counting[]) => {
    await cleared(context)
    for (const one of adding) await one.add()
  }
  await after(now)
  const oldReader = await sees(old, 1)
  await after(old)
  const newReader = await sees(now, 1)
  await after(now, old)
  const oldWrites = await sees(old, 2)
  await after(now, old)
  const oldWriter = worst([oldWrites, await sees(now, 2)])
  await after(old, now)
  return { oldReader, newReader, oldWriter, newWriter: await sees(now, 2) }
}

/** The worst of several meetings. */
async function each(meetings: readonly (() => Promise<Verdicts<Outcome>>)[]): Promise<Verdicts> {
  const found: Verdicts<Outcome>[] = []
  for (const meeting of meetings) found.push(await meeting())
  const of = (who: keyof Verdicts) => worst(found.map((one) => one[who]))
  return {
    oldReader: of("oldReader"),
    newReader: of("newReader"),
    oldWriter: of("oldWriter"),
    newWriter: of("newWriter"),
  }
}

const x = { x: string("x:{id}", text) }
const alone = keyspace(x, forever) as Keyspace
const withBoth = keyspace(
  { ...x, shard: keys.shard, p: keys.p },
  { ...forever, params, drains: { sum: drain({ from: "shard.a", into: "p" }) } },
) as Keyspace

export const drainScenes: readonly Scene[] = [
  {
    title: "DRAIN.ADDED",
    codes: ["DRAIN.ADDED"],
    before: without,
    after: drained("shard.a", "p"),
    meets: (context) =>
      each(withoutDrain(context.old).map((old) => () => count(context, old, draining(context.now, "a")))),
  },
  {
    title: "DRAIN.ADDED, with both of its keys",
    codes: ["DRAIN.ADDED", "PATTERN.ADDED", "PATTERN.ADDED", "PATTERN.ADDED"],
    before: alone,
    after: withBoth,
  },
  {
    title: "DRAIN.REMOVED",
    codes: ["DRAIN.REMOVED"],
    before: drained("shard.a", "p"),
    after: without,
    meets: (context) =>
      each(withoutDrain(context.now).map((now) => () => count(context, draining(context.old, "a"), now))),
  },
  {
    title: "DRAIN.RENAMED",
    codes: ["DRAIN.RENAMED"],
    before: drained("shard.a", "p"),
    after: drained("shard.a", "p", "total"),
    meets: (context) => count(context, dying(context.old, context, "sum"), dying(context.now, context, "total")),
  },
  {
    title: "DRAIN.SOURCE",
    codes: ["DRAIN.SOURCE"],
    before: drained("shard.a", "p"),
    after: drained("shard.b", "p"),
    meets: (context) => count(context, draining(context.old, "a"), draining(context.now, "b")),
  },
  {
    title: "DRAIN.TARGET",
    codes: ["DRAIN.TARGET"],
    before: drained("shard.a", "p"),
    after: drained("shard.a", "q"),
    meets: (context) => count(context, draining(context.old, "a"), draining(context.now, "a")),
  },
]
