/* Every script of the toolkit, carried out while the slot of its keys moves from node to node and back:
 * nothing is refused, nothing is lost, and no script touches a key that it was not given. One that did
 * would be cut off in the middle, keeping what it had written. */

import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { connect as connectTo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as z from "zod"
import { agreedOwner, moveSlot } from "../../../../test/cluster-control.ts"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import { type RealCluster, startPrimaries } from "../../../../test/redis-cluster.ts"
import { clusterSlot } from "../driver/cluster-slot.ts"
import type { Script } from "../driver/driver.ts"
import { json } from "../schema/codec/json.ts"
import { int } from "../schema/codec/number.ts"
import { text } from "../schema/codec/text.ts"
import { counter, hash, map, set, string } from "../schema/define.ts"
import { drain } from "../schema/drain.ts"
import { entity } from "../schema/entity.ts"
import { fence, fencedStep } from "../schema/fence.ts"
import { family, scope } from "../schema/group.ts"
import { type Keyspace, keyspace } from "../schema/keyspace.ts"
import { layout } from "../schema/layout.ts"
import { shardTags } from "../schema/shard.ts"
import { sharded } from "../schema/sharded.ts"
import { step } from "../schema/step.ts"
import { withTag } from "../schema/with-tag.ts"
import type { ClientOf } from "../client/client.ts"
import { connect } from "../client/connect.ts"
import { takeFences } from "../client/fences/fences.ts"
import { Lease } from "../client/jobs/lease.ts"
import * as clientScripts from "../client/lua/index.ts"
import { audit } from "../inspect/audit/audit.ts"
import { applyRepair } from "./carry-out/carry-out.ts"
import { exportKeys } from "./copy/export-keys.ts"
import { importKeys } from "./copy/import-keys.ts"
import * as changeScripts from "./lua/index.ts"
import { planRepair } from "./make-plan/plan-repair.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const Dish = z.object({ id: z.string(), name: z.string(), category: z.string(), stock: z.number() })
const Session = z.object({ id: z.string(), user: z.string() })
const schema = keyspace(
  {
    tag: scope("{{tag}}:", {
      dish: record("dish", json(Dish), { unique: { name: "name" }, index: { category: "category" } }),
      gauge: entity(
        "gauge:{id}",
        { id: text, room: text, state: text },
        { all: "gauge:list", index: { room: "gauge:room:{room}" } },
      ),
      session: entity("session:{id}", json(Session), { ttl: "1s", index: { user: "session:user:{user}" } }),
      visits: counter("visits"),
      page: string("page:{hash}", text, { ttl: "5m" }),
    }),
    channel: family(
      "{{channel}}:ch",
      { ttl: "1h", marker: "info" },
      { info: hash("", { name: text }), members: set(":members", text) },
    ),
    hits: string("{{tag}}:hits", int),
  },
  {
    ttl: "never",
    steps: {
      hit: step({
        script: `-- KEYS[1] hits\nreturn redis.call("INCR", KEYS[1])`,
        keys: ["hits"],
        returns: int,
        once: true,
      }),
    },
  },
)
type Schema = ClientOf<typeof schema>

const folder = mkdtempSync(join(tmpdir(), "keywright-slots-"))
/** The tag of the only shard of one, so that what is sharded is in the slot that moves, too. */
const TAG = shardTags(1)[0]!
const ROUNDS = isFull ? 10 : 2

/** What crosses shards. */
const spread = withTag(
  keyspace(
    {
      term: counter("term"),
      seen: map("seen", text, int),
      user: sharded(1, "user", { likes: map("likes", text, int), fence: fence("fence") }),
    },
    {
      ttl: "never",
      params: { user: int },
      drains: { likes: drain({ from: "user.likes", into: "seen" }) },
      steps: {
        like: fencedStep({
          script: `-- KEYS[1] likes  ARGV n, n × what is liked\nfor i = 2, #ARGV do redis.call("HINCRBY", KEYS[1], ARGV[i], 1) end`,
          keys: ["user.likes"],
          fence: "user.fence",
          record: text,
        }),
      },
    },
  ),
  TAG,
)
type Db = Schema & { readonly spread: ClientOf<typeof spread> }
/** Only one server follows relations in a script: what it reads there follows from what it has read. */
const NOT_IN_CLUSTERS: readonly Script[] = [clientScripts.findScript, clientScripts.followScript]

/** Each does what it does, `n` times or so; what it leaves behind is checked in the end. */
const works: Readonly<Record<string, (db: Db, n: number) => Promise<void>>> = {
  records: async (db, n) => {
    const { dish } = db.tag({ tag: TAG })
    const made = await dish.create({ name: `n${n}`, category: `c${n % 3}`, stock: 0 })
    await dish.update(made.id, { category: `c${(n + 1) % 3}` })
    expect((await dish.find("name", { name: `n${n}` }))?.id).toBe(made.id)
    expect(await dish.increment(made.id, "stock", 2)).toBe(2)
    await expect(dish.create({ name: `n${n}`, category: "c", stock: 0 })).rejects.toMatchObject({
      code: "INDEX.UNIQUE_TAKEN",
    })
    if (n % 2 === 0) expect(await dish.delete(made.id)).toBe(true)
  },
  hashes: async (db, n) => {
    const { gauge } = db.tag({ tag: TAG })
    await gauge.create({ id: `g${n}`, room: "hall", state: "new" })
    await gauge.update(`g${n}`, { room: "attic" })
    await gauge.update(`g${n}`, { state: "used" })
  },
  transactions: (db) =>
    db.$transaction(async (t) => {
      const { visits, dish } = t.tag({ tag: TAG })
      await visits().increment()
      await dish.create({ name: randomUUID(), category: "made", stock: 1 })
    }),
  "a transaction that empties a set and fills it again": async (db, n) => {
    const { dish } = db.tag({ tag: TAG })
    const [a, b] = [
      await dish.create({ name: `a${n}`, category: `p${n}`, stock: 0 }),
      await dish.create({ name: `b${n}`, category: `q${n}`, stock: 0 }),
    ]
    for (let i = 0; i < 10; i++)
      await db.$transaction(async (t) => {
        const one = t.tag({ tag: TAG }).dish
        const [first, second] = [(await one.get(a.id))!, (await one.get(b.id))!]
        await one.update(a.id, { category: second.category })
        await one.update(b.id, { category: first.category })
      })
    expect((await dish.list("category", { category: `p${n}` })).map(({ id }) => id)).toEqual([a.id])
  },
  "what expires": async (db, n) => {
    await db.tag({ tag: TAG }).session.create({ id: `s${n}`, user: `u${n}` })
    while ((await db.$sweep()) === 0) await sleep(50)
  },
  "operation ids": async (db) => {
    const operationId = randomUUID()
    const first = await db.tag({ tag: TAG }).visits().increment(1, { operationId })
    expect(await db.tag({ tag: TAG }).visits().increment(1, { operationId })).toBe(first)
    const hit = await db.$steps.hit({ tag: TAG }, { operationId })
    expect(await db.$steps.hit({ tag: TAG }, { operationId })).toBe(hit)
  },
  caches: async (db, n) => {
    const page = db.tag({ tag: TAG }).page({ hash: `h${n}` })
    expect(await page.cached(() => "one")).toBe("one")
    expect(await page.invalidateWhile(() => page.cached(() => "two"))).toBe("two")
  },
  families: async (db) => {
    const channel = db.channel({ channel: TAG })
    await channel.$drop()
    await channel.$load(async () => ({ info: { name: "n" }, members: ["a"] }))
    expect(await channel.members().add("b")).toBe(1)
    expect(await channel.$touch()).toBe(true)
    expect((await channel.$read())?.members.toSorted()).toEqual(["a", "b"])
  },
  "batches behind fences, and drains": async ({ spread: db }, n) => {
    const fences = await takeFences({
      on: db,
      term: await db.term().increment(),
      all: db.user.shards().map((shard) => shard.fence()),
      of: (user: number) => db.user({ user }).fence(),
    })
    const [part] = fences.split("like", [{ id: n + 1 }], () => 7)
    const before = (await db.$drains.likes.all()).get("pho") ?? 0
    const like = { user: 7, sequence: "like", fence: part!.fence, records: ["pho"] }
    expect([await db.$steps.like(like), await db.$steps.like(like)]).toEqual([1, 0])
    expect((await db.$drains.likes.all()).get("pho")).toBe(before + 1)
    await db.$drains.likes.run()
    expect(await db.seen().get("pho")).toBe(before + 1)
  },
  leases: async (db) => {
    const lease = await Lease.take(db.$driver(), `{${TAG}}:lease:${randomUUID()}`, { ttlMs: 300 })
    if (typeof lease === "number") throw new Error("nobody else can have it")
    // It is renewed before it ends.
    await sleep(400)
    await lease.release()
  },
}

const whole = schema as unknown as Keyspace

/** What is done to the keys as a whole. */
const changes: Readonly<Record<string, (db: Db, n: number) => Promise<void>>> = {
  repair: async (db) => {
    const driver = db.$driver()
    await driver.send(["SADD", `{${TAG}}:dish:index:category:c0`, "9999"])
    const { findings } = await audit(whole, driver)
    const plan = await planRepair(findings, whole, driver)
    expect(await applyRepair(plan, driver)).toMatchObject({ refused: 0 })
    expect(await driver.send(["SISMEMBER", `{${TAG}}:dish:index:category:c0`, "9999"])).toBe(0)
  },
  "export and import": async (db, n) => {
    const driver = db.$driver()
    const members = Array.from({ length: 12_000 }, (_, i) => `x${i}`)
    await driver.send(["SADD", `{${TAG}}:dish:index:category:large`, ...members])
    const file = join(folder, `${n}.ndjson`)
    await exportKeys(whole, driver, { file }, { secrets: true })
    await driver.send(["DEL", `{${TAG}}:dish:index:category:large`, `{${TAG}}:hits`])
    expect(
      await importKeys(whole, driver, { file }, { rebuild: false, mode: "overwrite", foreign: "import" }),
    ).toMatchObject({
      skipped: 0,
    })
    expect(await driver.send(["SCARD", `{${TAG}}:dish:index:category:large`])).toBe(12_000)
    await driver.send(["DEL", `{${TAG}}:dish:index:category:large`])
  },
}

/** What the nodes are told, and what their scripts call. */
async function listenTo(port: number): Promise<() => string> {
  const socket = connectTo(port, "127.0.0.1")
  let told = ""
  socket.setEncoding("latin1").on("data", (part: string) => (told += part))
  socket.write("MONITOR\r\n")
  while (!told.includes("+OK")) await once(socket, "data")
  return () => {
    socket.destroy()
    return told
  }
}

describe.runIf(needs("redis-server"))("while the slot of its keys moves", () => {
  let cluster: RealCluster
  let db: Db
  const said: (() => string)[] = []
  const stop = new AbortController()
  let moving: Promise<void>
  let moves = 0

  beforeAll(async () => {
    cluster = await startPrimaries(2)
    const options = { timeoutMs: 60_000, sweep: false }
    const of = await connect(schema, cluster.nodes[0]!.url, options)
    db = Object.assign(of, { spread: await connect(spread, cluster.nodes[0]!.url, options) })
    await db.$ready()
    for (const { port } of cluster.nodes) said.push(await listenTo(port))
    const slot = clusterSlot(TAG)
    const move = async () => {
      while (!stop.signal.aborted) {
        const from = await agreedOwner(cluster, slot)
        await moveSlot(
          slot,
          from,
          cluster.nodes.find((node) => node !== from)!,
        )
        moves++
      }
    }
    moving = move()
  })
  afterAll(async () => {
    stop.abort()
    await moving
    await db?.spread.$close()
    await db?.$close()
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const [name, work] of Object.entries({ ...works, ...changes }))
    test(`${name}: all is carried out`, async () => {
      const began = moves
      const isEnough = (n: number) => n >= ROUNDS && moves >= began + ROUNDS
      for (let n = 0; !isEnough(n); n++) await work(db, n)
    })

  test("no script touched a key that it was not given, and all scripts were there", async () => {
    stop.abort()
    await moving
    const lines = said.splice(0).flatMap((told) => told().split("\r\n"))
    const isScript = (line: string) => / "(?:eval|evalsha)" /i.test(line)
    const keysIn = (line: string) => wordsOf(line).filter((word) => word.includes(`{${TAG}}`))
    let given = new Set<string>()
    const strangers: string[] = []
    for (const line of lines) {
      // A script's own commands follow it, before any other command of that node.
      if (isScript(line)) given = new Set(keysGiven(line))
      else if (line.includes(" lua] ")) strangers.push(...keysIn(line).filter((key) => !given.has(key)))
    }
    expect(strangers).toEqual([])
    const seen = lines.filter(isScript).join("\n")
    const notSeen = Object.values<Script>({ ...clientScripts, ...changeScripts }).filter(
      // Sent by digest, or for the first time as a whole.
      ({ sha1, source }) => !seen.includes(sha1) && !seen.includes(source.slice(0, 30)),
    )
    expect(notSeen.map((script) => script.name).toSorted()).toEqual(
      NOT_IN_CLUSTERS.map((script) => script.name).toSorted(),
    )
  })
})

/** `… "evalsha" "sha" "2" "k1" "k2" "arg"`: k1 and k2. */
function keysGiven(line: string): string[] {
  const words = wordsOf(line)
  const at = words.findIndex((word) => /^(?:eval|evalsha)$/i.test(word))
  return words.slice(at + 3, at + 3 + Number(words[at + 2]))
}

const wordsOf = (line: string): string[] => [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word!)
