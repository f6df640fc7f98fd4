/* Rows whose verdict depends on the server: which keys it may evict, who may use them, and how
 * many replicas it has. */

import { startRedis } from "../../../../../../test/real-redis.ts"
import { connect, entity, json, keyspace, replicated, string, text, type Keyspace } from "../../../index.ts"
import { doctor } from "../../../inspect/doctor/doctor.ts"
import { cleared, outcomeOf, type SceneContext } from "../experiment/scene-context.cases.ts"
import { both as bothVerdicts, meetOverOne } from "../experiment/happened.cases.ts"
import { expected, type Any } from "../experiment/program.cases.ts"
import type { Verdict, Verdicts } from "../verdict.ts"
import { both, forever, people, person, plainPerson, scene, type Scene } from "./scene.cases.ts"

// ── eviction ───────────────────────────────────────────────────────────────

const lasting = keyspace({ x: string("x:{id}", text) }, forever) as Keyspace
const evictable = keyspace({ x: string("x:{id}", text, { evictable: true }) }, forever) as Keyspace

/** A server that evicts, as the one schema allows and the other does not. */
async function evicting(context: SceneContext): Promise<Verdicts> {
  const { scene, old, now, driver } = context
  const config = (name: string, value: string) => driver.send(["CONFIG", "SET", name, value])
  const isAllowed = async (keyspace: Keyspace) =>
    (await doctor(keyspace, driver)).findings.every(({ code }) => code !== "DOCTOR.EVICTION")
  const evictedAfter = async (write: Promise<unknown>) => {
    await write
    await config("maxmemory", "1")
    while ((await driver.send(["DBSIZE"])) !== 0) await new Promise((done) => setTimeout(done, 5))
    await config("maxmemory", "100mb")
  }
  /** What its schema promises: the value, or where it may be evicted, nothing. */
  const reads = (keyspace: Keyspace, db: Any) =>
    outcomeOf(async () => (await db.x({ id: "1" }).get()) === "a" || (await isAllowed(keyspace)))
  const updates = (db: Any) =>
    outcomeOf(async () => {
      await db.x({ id: "1" }).set("b")
      return (await db.x({ id: "1" }).get()) === "b"
    })
  await cleared(context)
  await config("maxmemory-policy", "allkeys-lru")
  try {
    await evictedAfter(now.x({ id: "1" }).set("a"))
    const oldReader = await reads(scene.before, old)
    const oldWriter = await updates(old)
    await evictedAfter(old.x({ id: "1" }).set("a"))
    const newReader = await reads(scene.after, now)
    return { oldReader, newReader, oldWriter, newWriter: await updates(now) }
  } finally {
    await config("maxmemory", "0")
    await config("maxmemory-policy", "noeviction")
  }
}

// ── services ───────────────────────────────────────────────────────────────

const used = (reads: readonly string[], writes: readonly string[]) =>
  keyspace({ x: string("x:{id}", text, { reads, writes }) }, forever) as Keyspace

/** Each service as a user of the server that may do what the new schema says; `service` is whose programs are run. */
async function asServices(context: SceneContext, service: string): Promise<Verdicts> {
  const { scene, url, driver } = context
  const [was, is] = [scene.before.keys[0]!, scene.after.keys[0]!]
  const rights = [
    ...(is.reads?.includes(service) ? ["%R~x:*"] : []),
    ...(is.writes?.includes(service) ? ["%W~x:*"] : []),
  ]
  await cleared(context)
  await driver.send(["SET", "x:1", "a"])
  await driver.send(["ACL", "SETUSER", service, "reset", "on", ">secret", "+@all", ...rights])
  const at = url.replace("redis://", `redis://${service}:secret@`)
  const run = async (keyspace: Keyspace, isUsing: boolean, use: (db: Any) => Promise<unknown>): Promise<Verdict> => {
    // A program of a service that is not named does not use it.
    if (!isUsing) return "n/a"
    const db = await connect(keyspace, at, { sweep: false })
    try {
      await use(db)
      return "works"
    } catch (error) {
      return expected(error) as Verdict
    } finally {
      await db.$close()
    }
  }
  const read = async (db: Any) => db.x({ id: "1" }).get()
  const write = async (db: Any) => db.x({ id: "1" }).set("b")
  try {
    return {
      oldReader: await run(scene.before, was.reads!.includes(service), read),
      newReader: await run(scene.after, is.reads!.includes(service), read),
      oldWriter: await run(scene.before, was.writes!.includes(service), write),
      newWriter: await run(scene.after, is.writes!.includes(service), write),
    }
  } finally {
    await driver.send(["ACL", "DELUSER", service])
  }
}

const access = (title: string, codes: Scene["codes"], before: Keyspace, after: Keyspace): Scene => ({
  title,
  codes,
  before,
  after,
  meets: (context) => asServices(context, "jobs"),
})

// ── replicas ───────────────────────────────────────────────────────────────

const waiting = entity("x:{id}", json(person), { durability: replicated(1) })

/** With a replica, and for a schema that asks for more than there was, without one. */
async function replicating({ scene: given, driver, url, ...context }: SceneContext): Promise<Verdicts> {
  await driver.send(["CONFIG", "SET", "repl-diskless-sync-delay", "0"])
  const open = (timeoutMs: number) =>
    Promise.all(
      [given.before, given.after].map((one) => connect(one, url, { sweep: false, timeoutMs }) as Promise<Any>),
    )
  // A replica on a busy machine takes its time to confirm; where there is none, nobody has to wait for it.
  const [patient, hasty] = [await open(60_000), await open(1000)]
  const replica = await startRedis({ args: ["--replicaof", "127.0.0.1", new URL(url).port] })
  const isOnline = new RegExp(`port=${replica.port},state=online`)
  try {
    while (!isOnline.test(String(await driver.send(["INFO", "replication"]))))
      await new Promise((done) => setTimeout(done, 20))
    const withReplica = await meetOverOne(given, patient[0], patient[1], driver)
    if (given.codes.includes("DURABILITY.LOWERED")) return withReplica
    await replica.stop()
    await cleared({ scene: given, driver, url, ...context })
    return bothVerdicts(withReplica, {
      oldReader: "works",
      newReader: "works",
      oldWriter: await outcomeOf(async () => (await patient[0].x.create(people[0]), true)),
      newWriter: await outcomeOf(async () => (await hasty[1].x.create(people[1]), true)),
    })
  } finally {
    await replica.stop()
    for (const db of [...patient, ...hasty]) await db.$close()
  }
}

export const serverScenes: readonly Scene[] = [
  { title: "EVICT.ALLOWED", codes: ["EVICT.ALLOWED"], before: lasting, after: evictable, meets: evicting },
  { title: "EVICT.FORBIDDEN", codes: ["EVICT.FORBIDDEN"], before: evictable, after: lasting, meets: evicting },
  access("ACCESS.LOST: may not read", ["ACCESS.LOST"], used(["web", "jobs"], ["web"]), used(["web"], ["web"])),
  access("ACCESS.LOST: may not write", ["ACCESS.LOST"], used(["web"], ["web", "jobs"]), used(["web"], ["web"])),
  access("ACCESS.GAINED: may read", ["ACCESS.GAINED"], used(["web"], ["web"]), used(["web", "jobs"], ["web"])),
  access("ACCESS.GAINED: may write", ["ACCESS.GAINED"], used(["web"], ["web"]), used(["web"], ["web", "jobs"])),
  { ...scene("DURABILITY.LOWERED", waiting, plainPerson, both(people)), meets: replicating },
  {
    ...scene("DURABILITY.RAISED", plainPerson, waiting, both(people)),
    meets: replicating,
    noOrderHelps: true,
  },
]
