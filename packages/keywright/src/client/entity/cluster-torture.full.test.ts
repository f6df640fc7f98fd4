/* Six real nodes behind proxies, the whole client on them, and everything that happens to nodes. First
 * what Redis itself loses nothing by (failovers by hand, slots that move, cut connections, forgotten scripts):
 * then every count is exact. Then what it may lose by (kill -9, pauses, takeovers): then
 *
 *   every call settles by its deadline
 *   nothing is counted twice, and nothing that `replicated(1)` acknowledged is lost
 *   every index, list and unique value is right, asked of the raw keys, lost acknowledgements or not
 *   transactions within a shard keep their sum
 *   shards of other primaries are undisturbed
 *   a walk finds every key that was there throughout, while slots move and primaries are replaced
 *   connections, and questions about the slots, stay bounded */

import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { askServer } from "../../../../../test/ask-server.ts"
import { moveSlot, rolesOf, untilCalm } from "../../../../../test/cluster-control.ts"
import { watchPauses } from "../../../../../test/machine-pauses.ts"
import { needs } from "../../../../../test/needs.ts"
import type { RealRedis } from "../../../../../test/real-redis.ts"
import { type RealCluster, startCluster } from "../../../../../test/redis-cluster.ts"
import { type Proxy, startProxy } from "../../../../../test/tcp-proxy.ts"
import { clusterSlot } from "../../driver/cluster-slot.ts"
import type { Reply } from "../../driver/driver.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import { json } from "../../schema/codec/json.ts"
import { counter } from "../../schema/define.ts"
import { entity, replicated } from "../../schema/entity.ts"
import { scope } from "../../schema/group.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { layout } from "../../schema/layout.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { indexViolations } from "./index-checker.cases.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const Dish = z.object({ id: z.string(), name: z.string(), category: z.string(), kitchen: z.string() })
const Note = z.object({ id: z.string(), text: z.string() })
const Account = z.object({ id: z.string(), balance: z.number() })
const world = keyspace(
  {
    shard: scope("{{shard}}:", {
      dish: record("dish", json(Dish), {
        unique: { name: "name" },
        index: { category: "category", kitchen: "kitchen" },
      }),
      note: entity("note:{id}", json(Note), { durability: replicated(1) }),
      account: entity("account:{id}", json(Account)),
      hits: counter("hits"),
      once: counter("once"),
    }),
  },
  { ttl: "never" },
)

const SHARDS = Array.from({ length: 24 }, (_, i) => `s${i}`)
const CALLERS = 48
const DEADLINE_MS = 30_000
const SUM = 100
/** Eight minutes, a quarter of it without loss. */
const LOSSLESS_MS = 120_000
const LOSSY_MS = 360_000
const DISHES = [
  {
    head: "dish:",
    list: "dish:list",
    indexes: [
      { kind: "unique", patterns: ["dish:index:name:{name}"] },
      { kind: "set", patterns: ["dish:index:category:{category}"] },
      { kind: "set", patterns: ["dish:index:kitchen:{kitchen}"] },
    ],
  },
] as const

const ANSWERS = /^(INDEX\.UNIQUE_TAKEN|RECORD\..*)$/

interface Tally {
  hits: number
  hitsUnknown: number
  once: number
  /** Ids of notes that were acknowledged. */
  readonly notes: string[]
}

interface Settled {
  readonly shard: string
  readonly at: number
  readonly ms: number
  readonly failed: string | undefined
}

describe.runIf(needs("redis-server"))("the whole client on a cluster whose nodes fail", () => {
  let cluster: RealCluster
  let proxies: Proxy[]
  let db: ClientOf<typeof world>
  const tallies = new Map<string, Tally>(
    SHARDS.map((shard) => [shard, { hits: 0, hitsUnknown: 0, once: 0, notes: [] }]),
  )
  const settled: Settled[] = []
  const unexpected: unknown[] = []
  const late: number[] = []
  /** Ends what the callers do; begun again after each check. */
  let shift = new AbortController()
  let callers: Promise<void>[] = []
  let [calls, errors] = [0, 0]

  beforeAll(async () => {
    cluster = await startCluster(
      "--cluster-node-timeout 2000 --cluster-require-full-coverage no --appendonly yes --repl-diskless-sync-delay 0".split(
        " ",
      ),
    )
    proxies = await Promise.all(cluster.nodes.map(({ port }) => startProxy(port)))
    const nat = Object.fromEntries(
      cluster.nodes.map(({ port }, i) => [`127.0.0.1:${port}`, `127.0.0.1:${proxies[i]!.port}`]),
    )
    const seeds = proxies.map(({ port }) => `127.0.0.1:${port}`).join(",")
    db = await connect(world, `redis://${seeds}`, { nat, timeoutMs: DEADLINE_MS, rememberFor: "1m" })
    await db.$ready()
    for (const shard of SHARDS)
      for (const id of ["a", "b"]) await db.shard({ shard }).account.create({ id, balance: SUM / 2 })
    await untilCalm(cluster)
  }, 120_000)
  afterAll(async () => {
    await pauseWork()
    await db?.$close()
    await Promise.all((proxies ?? []).map((proxy) => proxy.close()))
    await cluster?.stop()
  })

  /** Makes a call and says what became of it: "done", "unknown" or "refused". */
  async function made(shard: string, call: () => Promise<unknown>): Promise<"done" | "unknown" | "refused"> {
    const started = performance.now()
    let failed: string | undefined
    let outcome: "done" | "unknown" | "refused" = "done"
    try {
      await call()
    } catch (error) {
      outcome = error instanceof OutcomeUnknown ? "unknown" : "refused"
      failed = error instanceof Error ? `${error.name} ${error.message}` : String(error)
      // Two callers of a shard get in each other's way: that is an answer.
      if (ANSWERS.test(String((error as { code?: string }).code))) return "done"
      const isExpected = error instanceof OutcomeUnknown || error instanceof NotApplied
      if (!isExpected) unexpected.push(error)
    }
    const ms = performance.now() - started
    calls++
    if (outcome !== "done") errors++
    settled.push({ shard, at: started, ms, failed: outcome === "done" ? undefined : failed })
    if (ms > DEADLINE_MS) late.push(ms - DEADLINE_MS)
    return outcome
  }

  /** With an operation id: asked for again until it is known. */
  async function surely(shard: string, call: (operationId: string) => Promise<unknown>): Promise<void> {
    const operationId = randomUUID()
    while ((await made(shard, () => call(operationId))) !== "done");
  }

  /** Two callers for each shard: those of others are not held up by one that is away. */
  async function work(caller: number, { signal }: AbortController): Promise<void> {
    const shard = SHARDS[caller % SHARDS.length]!
    for (let i = caller + Math.floor(Math.random() * 1000); !signal.aborted; i++) {
      const tally = tallies.get(shard)!
      const own = db.shard({ shard })
      const hit = await made(shard, () => own.hits().increment())
      if (hit === "done") tally.hits++
      else if (hit === "unknown") tally.hitsUnknown++
      await surely(shard, (operationId) => own.once().increment(1, { operationId }))
      tally.once++
      const id = randomUUID()
      if (i % 10 === 0 && (await made(shard, () => own.note.create({ id, text: "n" }))) === "done") tally.notes.push(id)
      const name = `n${i % 20}`
      const dish = { name, category: `c${i % 4}`, kitchen: `k${i % 3}` }
      if (i % 4 === 0) await made(shard, () => own.dish.create(dish))
      if (i % 4 === 1)
        await made(shard, async () => {
          const found = await own.dish.find("name", { name })
          if (found) await own.dish.update(found.id, { category: `c${(i >> 2) % 4}` })
        })
      if (i % 8 === 2)
        await made(shard, async () => {
          const found = await own.dish.find("name", { name })
          if (found) await own.dish.delete(found.id)
        })
      if (i % 5 === 0)
        await made(shard, () =>
          db.$transaction(async (t) => {
            const { account } = t.shard({ shard })
            const [a, b] = await Promise.all([account.get("a"), account.get("b")])
            if (!a || !b) throw new Error(`an account of ${shard} is gone`)
            await account.update("a", { balance: a.balance - 1 })
            await account.update("b", { balance: b.balance + 1 })
          }),
        )
      await sleep(40)
    }
  }

  const otherThan = async (victim: RealRedis) => (await rolesOf(cluster)).primaries.find((node) => node !== victim)!
  const untilReplaced = async (victim: RealRedis) => {
    for (let now: readonly RealRedis[] = [victim]; now.length < 3 || now.includes(victim);) {
      now = (await rolesOf(cluster)).primaries
      await sleep(50)
    }
  }

  /** Which walks found everything. */
  async function walkFindsAll(during: () => Promise<void>): Promise<void> {
    // Never none of them: a walk of nothing would let nothing else run.
    const first = Math.floor(Math.random() * SHARDS.length)
    const some = SHARDS.filter((_, i) => i === first || Math.random() < 0.2)
    const before = some.flatMap((shard) => tallies.get(shard)!.notes.map((id) => `${shard} ${id}`))
    const moving = new AbortController()
    const moved = during().finally(() => moving.abort())
    do {
      const found = new Set<string>()
      for (const shard of some) for await (const one of db.shard({ shard }).note.scan()) found.add(`${shard} ${one.id}`)
      expect(before.filter((one) => !found.has(one))).toEqual([])
    } while (!moving.signal.aborted)
    await moved
  }

  type Nemesis = (victim: RealRedis) => Promise<void>
  const lossless: Readonly<Record<string, Nemesis>> = {
    "a failover by hand": (victim) =>
      walkFindsAll(async () => {
        const replica = (await rolesOf(cluster)).replicaOf(victim)!
        await askServer(replica.port, "CLUSTER", "FAILOVER")
        await untilReplaced(victim)
      }),
    "slots with keys that move": (victim) =>
      walkFindsAll(async () => {
        const target = await otherThan(victim)
        const roles = await rolesOf(cluster)
        const slots = SHARDS.map((shard) => clusterSlot(shard)).filter((slot) => roles.ownerOf(slot) === victim)
        for (const slot of slots.slice(0, 3))
          await moveSlot(slot, victim, target, roles.primaries, { atOnce: 20, meanwhile: () => sleep(20) })
      }),
    "all connections cut": async () => {
      for (const { port } of (await rolesOf(cluster)).primaries)
        await askServer(port, "CLIENT", "KILL", "TYPE", "normal")
    },
    "scripts forgotten": async (victim) => {
      for (let i = 0; i < 20; i++) {
        await askServer(victim.port, "SCRIPT", "FLUSH")
        await sleep(20)
      }
    },
    "connections cut in the middle of a request or reply": async (victim) => {
      const proxy = proxies[cluster.nodes.indexOf(victim)]!
      for (let i = 0; i < 10; i++) {
        if (i % 2 === 0) proxy.cutRequestAfter(1 + Math.floor(Math.random() * 3000))
        else proxy.cutReplyAfter(1 + Math.floor(Math.random() * 2000))
        await sleep(150)
      }
    },
    "a pause shorter than the node timeout": async (victim) => {
      victim.pause()
      await sleep(300)
      victim.resume()
    },
  }
  const lossy: Readonly<Record<string, Nemesis>> = {
    "kill -9, and back later": (victim) =>
      walkFindsAll(async () => {
        await victim.kill9()
        await untilReplaced(victim)
        await victim.restart()
      }),
    "a pause longer than the node timeout": async (victim) => {
      victim.pause()
      await untilReplaced(victim)
      victim.resume()
    },
    "a takeover": async (victim) => {
      const replica = (await rolesOf(cluster)).replicaOf(victim)!
      await askServer(replica.port, "CLUSTER", "FAILOVER", "TAKEOVER")
      await untilReplaced(victim)
    },
    "a replica killed": async (victim) => {
      const replica = (await rolesOf(cluster)).replicaOf(victim)!
      await replica.kill9()
      await sleep(3000)
      await replica.restart()
    },
    ...lossless,
  }
  /** Those that concern the victim alone: whatever happens elsewhere is a fault of ours. */
  const LOCAL = new Set([
    "a failover by hand",
    "kill -9, and back later",
    "a pause longer than the node timeout",
    "a takeover",
    "connections cut in the middle of a request or reply",
    "scripts forgotten",
  ])

  const disturbed: string[] = []
  let judged = 0

  async function strike(name: string, nemesis: Nemesis): Promise<void> {
    await untilCalm(cluster)
    const roles = await rolesOf(cluster)
    const victim = roles.primaries[Math.floor(Math.random() * roles.primaries.length)]!
    const unconcerned = new Set(SHARDS.filter((shard) => roles.ownerOf(clusterSlot(shard)) !== victim))
    const pauses = watchPauses()
    settled.length = 0
    const began = performance.now()
    await nemesis(victim)
    await untilCalm(cluster)
    pauses.stop()
    const during = settled.filter(({ at }) => at >= began)
    const others = during.filter(({ shard }) => unconcerned.has(shard))
    const failures = others.filter(({ failed }) => failed !== undefined)
    const times = others.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const failed = during.filter((one) => one.failed !== undefined).length
    const line = `${name}: ${seconds} s, ${during.length} calls, ${failed} errors; other shards: ${failures.length} errors, p99 ${p99.toFixed(0)} ms (machine paused ${pauses.longestMs.toFixed(0)} ms)`

    process.stderr.write(`torture: ${line}\n`)
    // Where the machine itself stood still, nodes look dead to each other and to us.
    if (!LOCAL.has(name) || pauses.longestMs > 400) return
    judged++
    for (const { shard, failed: text } of failures) disturbed.push(`${name}: ${shard} ${text}`)
    // Transactions and records wait for each other's turn; what the machine paused for is not ours.
    if (p99 > 250 + 4 * pauses.longestMs) disturbed.push(line)
  }

  const raw =
    (shard: string) =>
    async (...command: string[]): Promise<Reply> => {
      const [name, key, ...words] = command as [string, string, ...string[]]
      if (name !== "KEYS") return db.$driver().send([name, `{${shard}}:${key}`, ...words], { safe: true })
      const keys = (await db.$driver().send(["KEYS", `{${shard}}:dish:*`], { safe: true })) as string[]
      return keys.map((one) => one.slice(shard.length + 3))
    }

  async function check(isExact: boolean): Promise<void> {
    const lost: string[] = []
    for (const shard of SHARDS) {
      const { hits, hitsUnknown, once, notes } = tallies.get(shard)!
      const own = db.shard({ shard })
      const value = Number((await own.hits().get()) ?? 0)
      const exact = Number((await own.once().get()) ?? 0)
      expect(value, `${shard} hits`).toBeLessThanOrEqual(hits + hitsUnknown)
      expect(exact, `${shard} with operation ids`).toBeLessThanOrEqual(once)
      if (isExact) {
        expect(value, `${shard} hits`).toBeGreaterThanOrEqual(hits)
        expect(exact, `${shard} with operation ids`).toBe(once)
      } else if (value < hits || exact < once) lost.push(`${shard}: ${Math.max(0, hits - value)} ${once - exact}`)
      const found = await own.note.getMany(notes)
      expect(
        notes.filter((_, i) => found[i] === undefined),
        `${shard}: notes that replicas had acknowledged`,
      ).toEqual([])
      expect(await indexViolations(raw(shard), DISHES), shard).toEqual([])
      const [a, b] = await own.account.getMany(["a", "b"])
      expect((a?.balance ?? 0) + (b?.balance ?? 0), `${shard} accounts`).toBe(SUM)
    }
    process.stderr.write(`torture: ${isExact ? "exact" : `lost by Redis: ${lost.join(", ") || "nothing"}`}\n`)
  }

  async function pauseWork(): Promise<void> {
    shift.abort()
    await Promise.all(callers)
  }
  function beginWork(): void {
    shift = new AbortController()
    callers = Array.from({ length: CALLERS }, (_, caller) => work(caller, shift))
  }
  async function checked(isExact: boolean): Promise<void> {
    await untilCalm(cluster)
    await pauseWork()
    await check(isExact)
    beginWork()
  }

  test("costs only what Redis itself loses", async () => {
    const pauses = watchPauses()
    beginWork()
    for (const end = performance.now() + LOSSLESS_MS; performance.now() < end;)
      for (const [name, nemesis] of Object.entries(lossless)) await strike(name, nemesis)
    await checked(true)
    for (const end = performance.now() + LOSSY_MS; performance.now() < end;) {
      for (const [name, nemesis] of Object.entries(lossy)) await strike(name, nemesis)
      await checked(false)
    }
    await pauseWork()
    pauses.stop()
    process.stderr.write(`torture: ${calls} calls, ${errors} errors; other shards judged ${judged} times\n`)
    expect(unexpected).toEqual([])
    expect(late.filter((over) => over > 100 + pauses.longestMs)).toEqual([])
    expect(disturbed).toEqual([])
    // One connection for calls and one for writes that wait, to each node that was ever a primary.
    const clients = await Promise.all(cluster.nodes.map(({ port }) => askServer(port, "CLIENT", "LIST")))
    const ours = clients.map(
      (list) =>
        list.split("\n").filter((line) => line.includes("lib-name=keywright") || line.includes("cmd=eval")).length,
    )
    expect(Math.max(...ours)).toBeLessThan(40)
  }, 1_800_000)
})
