/* No answer of the studio shows a secret, whatever is asked, and neither does a
 * reference to a key: only a deliberate reveal does. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Engine, start } from "@keywright/embedded"
import { messagingSchema } from "../../../../../systems/messaging/schema.ts"
import { canaries } from "../../cli/canaries.cases.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import type { Driver } from "../../driver/driver.ts"
import { text } from "../../schema/codec/text.ts"
import { geo } from "../../schema/define.ts"
import { type Keyspace, keyspace } from "../../schema/keyspace.ts"
import { CANARY, wallet, walletKeys, walletWrites } from "../../schema/listed-secrets.cases.ts"
import type { ElementsPage, KeyDetail, KeysPage, Overview } from "../api.ts"
import { type RunningStudio, startStudio } from "./start-studio.ts"
import { ask, enter, type StudioClient } from "./studio-client.cases.ts"

let engine: Engine
let driver: Driver

beforeAll(async () => {
  engine = await start()
  driver = embeddedDriver(engine)
})
afterAll(async () => {
  await driver?.close()
  await engine?.stop()
})

/** Asks everything that there is to ask, and keeps every answer. */
class Crawler {
  readonly texts: string[] = []
  readonly #page: StudioClient
  readonly #own: Record<string, string>

  constructor(page: StudioClient) {
    this.#page = page
    this.#own = { ...page.own }
  }

  async get<T>(path: string): Promise<T> {
    const { text } = await ask(this.#page.port, { path, headers: this.#own })
    this.texts.push(text)
    return JSON.parse(text) as T
  }

  async post<T>(path: string, body: object = {}): Promise<T> {
    const headers = { ...this.#own, "content-type": "application/json" }
    const { text } = await ask(this.#page.port, { method: "POST", path, headers, body: JSON.stringify(body) })
    this.texts.push(text)
    return JSON.parse(text) as T
  }

  async key(base: string, db: number, ref: string): Promise<void> {
    const detail = await this.get<KeyDetail>(`${base}/key?db=${db}&ref=${ref}`)
    const elements = await this.get<ElementsPage>(`${base}/elements?db=${db}&ref=${ref}&limit=2`)
    await this.get(`${base}/bytes?db=${db}&ref=${ref}&from=0`)
    const place = { db, ref, seen: detail.seen }
    const edits = [
      { op: "delete", ...place },
      { op: "change", ...place, fields: { value: "x", id: "x", password: "x", map_key: "y", tenant: "2" } },
      { op: "put", ...place, fields: { member: "x", score: "y", field: "a", value: "b", item: "c" } },
      ...(elements.rows ?? []).map(({ element }) => ({ op: "remove", ...place, element })),
    ]
    for (const edit of edits) await this.post(`${base}/edit/preview`, edit)
  }
}

const odd = [
  ["HSET", "holder:2", "name", "a", "card", `{"pin":"${CANARY}`],
  ["XADD", "log:1", "*", "name", "a", "card", `{"pin":"${CANARY}`],
]
/** What the toolkit notes repeats keys and values. */
const notes = [
  ["SET", `keywright:op:${CANARY}`, `{"pin":"${CANARY}"}`],
  ["ZADD", "keywright:expiry:account:{id}", "1", `1\tpin=${CANARY}`],
  ["ZADD", "keywright:hold:0a4d55a8d778e5022fab701977c5d840bbc486d0", "1", CANARY],
]
const listed = {
  writes: [...walletWrites, ...odd, ...notes].map((command) => [0, ...command] as const),
  keys: walletKeys,
}
const all = { ...canaries, wallet: listed }

async function schemaOf(name: string): Promise<Keyspace> {
  if (name === "wallet") return wallet as unknown as Keyspace
  // The messenger's rules leave its sweepers ten seconds, which the audit would wait out.
  if (name === "messaging") return messagingSchema({ sweepEvery: 0.5 }) as never
  const config = (await import(`../../../../../systems/${name}/keywright.config.ts`)) as {
    default: { keyspace: Keyspace }
  }
  return config.default.keyspace
}

describe.each(Object.keys(all))("of %s", (name) => {
  let studio: RunningStudio
  const { writes, keys } = all[name as keyof typeof all]!

  beforeAll(async () => {
    const keyspace = await schemaOf(name)
    await driver.send(["FLUSHALL"])
    for (const [db, ...command] of writes) await (await driver.database(db)).send(command)
    studio = await startStudio({ systems: [{ name, keyspace, server: { engine } }], write: true })
  })
  afterAll(() => studio?.close())

  test("no answer and no reference shows a canary", async () => {
    const page = await enter(studio)
    await page.event("scan", ({ state }) => state === "done")
    const crawler = new Crawler(page)
    const base = `/api/systems/${name}`
    for (const path of ["/api/session", `${base}/schema`, `${base}/doctor`, "/api/log"]) await crawler.get(path)
    const { databases } = await crawler.get<Overview>(`${base}/overview`)
    for (const { patterns, toolkit, unknown, biggest } of databases) {
      for (const { db, ref } of biggest) await crawler.key(base, db, ref)
      for (const pattern of [...patterns, ...toolkit, ...unknown]) {
        const listed = await crawler.get<KeysPage>(`${base}/keys?pattern=${encodeURIComponent(pattern.name)}`)
        expect(listed.keys.length).toBe(pattern.keys)
        for (const { db, ref, params } of listed.keys) {
          await crawler.key(base, db, ref)
          for (const param of Object.keys(params))
            await crawler.get(`${base}/complete?pattern=${encodeURIComponent(pattern.name)}&param=${param}`)
        }
      }
    }
    for (const key of keys) await crawler.get(`/api/search?q=${encodeURIComponent(key.split(" ")[0]!)}`)
    await crawler.get("/api/search?q=CANARY")

    await crawler.post(`${base}/audit`)
    await page.event("audit", ({ state }) => state === "done")
    await crawler.get(`${base}/audit`)
    await crawler.get(`${base}/audit/findings?limit=500`)
    const all = ["unknown", "broken", "conflicts", "fields", "orphans", "excess"]
    const plan = await crawler.post<{ id: string }>(`${base}/audit/plan`, { delete: all })
    await crawler.get(`${base}/audit/plan?id=${plan.id}&limit=500`)

    const traffic = setInterval(() => {
      for (const [db, ...command] of writes) void driver.database(db).then((one) => one.send(command))
    }, 20)
    const watched = await Promise.all([
      page.event("live", ({ rows }) => rows.length > 0, name),
      page.event("commands", ({ commands }) => commands.length > 0, name),
    ]).finally(() => clearInterval(traffic))
    crawler.texts.push(JSON.stringify(watched))

    expect(crawler.texts.length).toBeGreaterThan(50)
    for (const text of crawler.texts) {
      expect(text).not.toContain("CANARY")
      const refs = [...text.matchAll(/"(?:ref|element)":"[k~]([\w-]+)"/g)].map(([, ref]) => ref!)
      for (const ref of refs) expect(Buffer.from(ref, "base64url").toString("latin1")).not.toContain("CANARY")
    }
    expect(crawler.texts.join("")).not.toContain("STUDIO.UNEXPECTED")
  })
})

test("a place that is secret is not shown, nor quoted where it is refused", async () => {
  const homes = keyspace({ homes: geo("homes", text, { secret: true }) }, { name: "homes", ttl: "never" })
  await driver.send(["FLUSHALL"])
  await driver.send(["GEOADD", "homes", "13.361389", "38.115556", "ada"])
  const systems = [{ keyspace: homes as unknown as Keyspace, server: { engine } }]
  const studio = await startStudio({ systems, write: true, reveal: false })
  try {
    const page = await enter(studio)
    const query = { db: 0, ref: `k${Buffer.from("homes").toString("base64url")}` }
    const detail = await page.raw("GET /api/systems/:system/key", { system: "homes", query })
    const elements = await page.raw("GET /api/systems/:system/elements", { system: "homes", query })
    for (const { text } of [detail, elements]) expect(text).not.toMatch(/13\.36|38\.11|ada/)
    const body = { op: "put", ...query, fields: { member: "bob", longitude: "181.4711", latitude: "1" } }
    const refused = await page.raw("POST /api/systems/:system/edit/preview", { system: "homes", body })
    expect(refused.text).toContain("a longitude has to be from -180 to 180")
    expect(refused.text).not.toContain("4711")
  } finally {
    await studio.close()
  }
})
