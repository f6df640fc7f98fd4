/* Leases and fills among real processes, some of which are stopped or killed. */

import { connect, family, hash, keyspace, string, text } from "keywright"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { type ChildProgram, runProgram } from "../../../../test/child-program.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"

const schema = keyspace({
  page: string("page", text, { ttl: "1h" }),
  channel: family("Ch:{id}", { ttl: "1h", marker: "info" }, { info: hash("", { name: text }) }),
})

const declare = `
import { connect, family, hash, job, keyspace, string, text } from "keywright"
const schema = keyspace({
  page: string("page", text, { ttl: "1h" }),
  channel: family("Ch:{id}", { ttl: "1h", marker: "info" }, { info: hash("", { name: text }) }),
})
const [, url, ...args] = process.argv
const db = await connect(schema, url)
const raw = (...command) => db.$driver().send(command)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
`

/** Works as long as it has the lease, and says so on the server again and again. */
const worker = `${declare}
const work = job({
  name: "work",
  every: "10ms",
  lease: { on: db, ttl: "1500ms" },
  run: async ({ signal, lease }) => {
    while (!signal.aborted) {
      if (lease.held) await raw("RPUSH", "log", String(process.pid))
      await pause(5)
    }
    console.log(signal.reason.code)
  },
})
process.on("SIGTERM", async () => {
  await work.stop()
  await db.$close()
  console.log("ended")
})
work.start()
console.log("ready")
`

/** Counts its passes, of which there is one per interval among all processes. */
const counter = `${declare}
const count = job({ name: "count", every: args[0], lease: { on: db, per: "interval" }, run: () => raw("INCR", "passes") })
process.on("SIGTERM", async () => {
  await count.stop()
  await db.$close()
})
count.start()
console.log("ready")
`

describe.runIf(needs("redis-server"))("among processes", () => {
  let redis: RealRedis
  let db: Awaited<ReturnType<typeof open>>
  let children: ChildProgram[] = []
  const open = () => connect(schema, redis.url)
  const raw = (...command: string[]) => db.$driver().send(command)
  const log = async () => (await raw("LRANGE", "log", "0", "-1")) as string[]
  const begin = (source: string, ...args: string[]) => {
    const child = runProgram(source, [redis.url, ...args])
    children.push(child)
    return child
  }
  const ready = (child: ChildProgram) => child.printed("ready")
  const pidOf = (child: ChildProgram) => String(child.process.pid)
  const patience = { interval: 5, timeout: 30_000 }
  const untilLog = (holds: (pids: string[]) => boolean) => vi.waitUntil(async () => holds(await log()), patience)
  /** The process that has the lease now, and is not one of these. */
  const nextHolder = async (...before: ChildProgram[]) => {
    const known = new Set(before.map(pidOf))
    await untilLog((pids) => pids.length > 0 && !known.has(pids.at(-1)!))
    const pid = (await log()).at(-1)!
    return children.find((child) => pidOf(child) === pid)!
  }

  beforeAll(async () => {
    redis = await startRedis()
    db = await open()
  })
  beforeEach(() => raw("FLUSHALL"))
  afterEach(async () => {
    for (const child of children) child.process.kill("SIGKILL")
    await Promise.all(children.map((child) => child.ended))
    children = []
  })
  afterAll(async () => {
    await db?.$close()
    await redis?.stop()
  })

  /** Who wrote, without repetitions: nobody comes back after another has taken over. */
  const turns = async () => (await log()).filter((pid, i, pids) => pid !== pids[i - 1])

  it("a lease passes to another process when its holder is killed, and never has two holders", async () => {
    await Promise.all([ready(begin(worker)), ready(begin(worker)), ready(begin(worker))])
    const gone: ChildProgram[] = []
    for (let i = 0; i < 2; i++) {
      gone.push(await nextHolder(...gone))
      gone.at(-1)!.process.kill("SIGKILL")
    }
    await nextHolder(...gone)
    const held = await turns()
    expect(held).toHaveLength(3)
    expect(new Set(held).size).toBe(3)
  })

  it("a process that was suspended knows that its lease is over when it wakes", async () => {
    await Promise.all([ready(begin(worker)), ready(begin(worker))])
    const sleeper = await nextHolder()
    sleeper.process.kill("SIGSTOP")
    await nextHolder(sleeper)
    sleeper.process.kill("SIGCONT")
    await sleeper.printed("JOB.LEASE_LOST")
    const pids = await log()
    const others = pids.findIndex((pid) => pid !== pidOf(sleeper))
    // A command that it had begun to write when it was stopped is on its way: no lease can take that back.
    expect(pids.slice(others).filter((pid) => pid === pidOf(sleeper)).length).toBeLessThanOrEqual(1)
  })

  it("a lease is given back at once by a process that is asked to end", async () => {
    const one = begin(worker)
    await ready(one)
    await untilLog((pids) => pids.length > 0)
    one.process.kill("SIGTERM")
    expect(await one.ended).toBe(0)
    expect(one.lines).toEqual(["ready", "JOB.STOPPED", "ended"])
    expect(await raw("EXISTS", "keywright:lease:work")).toBe(0)
  })

  it("a job with one pass per interval has no more, however many processes run it", async () => {
    const begun = Date.now()
    await Promise.all([1, 2, 3].map(() => ready(begin(counter, "100ms"))))
    await vi.waitUntil(async () => Number(await raw("GET", "passes")) >= 10, patience)
    const passes = Number(await raw("GET", "passes"))
    expect(passes).toBeLessThanOrEqual(1 + (Date.now() - begun) / 100)
  })

  it("a loader that is killed is replaced when its lease is over", async () => {
    const child = begin(`${declare}
await db.page().cached(() => {
  console.log("loading")
  return new Promise(() => setInterval(() => {}, 1000))
}, { lease: "300ms" })`)
    await child.printed("loading")
    child.process.kill("SIGKILL")
    expect(await db.page().cached(() => "loaded", { wait: "10s" })).toBe("loaded")
    expect(await raw("GET", "page")).toBe("loaded")
  })

  it("a writer that is killed between the source and the cache leaves nothing stale", async () => {
    const channel = db.channel({ id: "1" })
    await channel.$fill({ info: { name: "old" } })
    const child = begin(`${declare}
await db.channel({ id: "1" }).$change(async () => {
  await raw("SET", "source", "new")
  console.log("written")
  await new Promise(() => setInterval(() => {}, 1000))
}, "400ms")`)
    await child.printed("written")
    child.process.kill("SIGKILL")
    const load = async () => ({ info: { name: String(await raw("GET", "source")) } })
    expect(await channel.$read()).toBeUndefined()
    expect((await channel.$load(load))?.info.name).toBe("new")
    while ((await channel.$read()) === undefined) await channel.$load(load)
    expect((await channel.$read())?.info.name).toBe("new")
  })
})
