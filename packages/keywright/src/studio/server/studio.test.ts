/* The studio's API, on the restaurant and on carto's six databases. */

import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import { onAnyServer, type TestServer } from "../../client/servers.cases.ts"
import type { KeyDetail, KeyLink } from "../api.ts"
import { startStudio, type RunningStudio, type StartStudioOptions } from "./start-studio.ts"
import { enter, type StudioClient } from "./studio-client.cases.ts"
import {
  carto,
  fillCarto,
  fillRestaurant,
  MAP_KEY,
  PASSWORD,
  restaurant,
  restaurantBefore,
  TOKEN,
} from "./studio-data.cases.ts"

let studio: RunningStudio
let page: StudioClient

/** A studio whose first scan is done. */
async function open(server: TestServer, which: "restaurant" | "carto", options: Partial<StartStudioOptions> = {}) {
  await (which === "carto" ? fillCarto : fillRestaurant)(server.target)
  const keyspace = which === "carto" ? carto : restaurant
  studio = await startStudio({ systems: [{ keyspace, server: server.target as string }], write: true, ...options })
  page = await enter(studio)
  await page.event("scan", ({ state }) => state === "done")
}

const key = (system: string, { db, ref }: KeyLink): Promise<KeyDetail> =>
  page.call("GET /api/systems/:system/key", { system, query: { db, ref } })
const keys = (system: string, pattern: string, query: object = {}) =>
  page.call("GET /api/systems/:system/keys", { system, query: { pattern, ...query } })
const named = async (system: string, text: string): Promise<KeyLink> => {
  const { hits } = await page.call("GET /api/search", { query: { q: text, system } })
  const hit = hits.find((one) => one.what === "key")
  if (hit?.what !== "key") throw new Error(`no key ${text}: ${JSON.stringify(hits)}`)
  return hit.link
}

afterEach(() => studio?.close())

onAnyServer("the studio on the restaurant", (server) => {
  beforeEach(() => open(server(), "restaurant"))

  test("tells its systems and what it may do", async () => {
    const session = await page.call("GET /api/session")
    expect(session).toMatchObject({ write: true, reveal: true })
    expect(session.systems).toMatchObject([{ name: "restaurant", entities: 9, databases: [{ db: 0 }] }])
  })

  test("tells what changed since another version of the schema, with what to do and where it is now", async () => {
    const system = { keyspace: restaurant, server: server().target as string }
    await studio.close()
    studio = await startStudio({ systems: [{ ...system, against: restaurantBefore() }] })
    page = await enter(studio)
    expect((await page.call("GET /api/session")).systems[0]).toMatchObject({ against: "HEAD~1:schema.ts" })
    const found = await page.call("GET /api/systems/:system/difference", { system: "restaurant" })
    expect(found).toMatchObject({ before: "HEAD~1:schema.ts", level: "silent", order: "all at once", questions: [] })
    expect(found.changes.map(({ code, path, pattern }) => [code, path, pattern])).toEqual(
      expect.arrayContaining([
        ["PATTERN.REMOVED", "coupon", undefined],
        ["PATTERN.MOVED", "rolePermissions", "rolePermissions"],
        ["TTL.SHORTENED", "registrations", "registrations"],
      ]),
    )
    const gone = found.changes.find(({ path }) => path === "coupon")
    expect(gone?.advice[0]).toMatchObject({ when: "after the last old writer" })
  })

  test("without another version there is no difference, and it says how to get one", async () => {
    const refused = await page.refused("GET /api/systems/:system/difference", { system: "restaurant" })
    expect(refused).toMatchObject({ status: 404, code: "STUDIO.NOT_FOUND" })
    expect(refused.message).toContain("--against")
  })

  test("draws the schema: page, diagram with places, tree, forms", async () => {
    const {
      page: docs,
      diagram,
      tree,
      forms,
    } = await page.call("GET /api/systems/:system/schema", { system: "restaurant" })
    expect(docs.title).toBe("restaurant")
    expect(diagram?.boxes.find(({ name }) => name === "dish")).toMatchObject({ pattern: "dish" })
    expect(diagram?.lines[0]?.points.length).toBeGreaterThan(1)
    expect(tree.map((one) => ("title" in one ? one.title : one.name))).toContain("user")
    expect(forms["dish"]).toMatchObject({ create: true, shape: "record", params: [] })
    expect(forms["dish"]?.fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["name", "price", "categoryId", "available"]),
    )
    expect(forms["dish#category"]).toBeUndefined()
  })

  test("shows a document that nests very deeply as it is stored", async () => {
    const { raw } = server()
    const document = String(await raw("GET", "dish:1")).slice(0, -1)
    await raw("SET", "dish:1", `${document},"more":${"[".repeat(20_000)}${"]".repeat(20_000)}}`)
    const { value } = await key("restaurant", await named("restaurant", "dish:1"))
    expect(value).toMatchObject({ error: expect.stringContaining("levels"), raw: { text: expect.any(String) } })
  })

  test("counts keys, memory and TTLs by pattern, unknown keys too", async () => {
    const { databases, scan, pulse } = await page.call("GET /api/systems/:system/overview", { system: "restaurant" })
    const [database] = databases
    const of = (name: string) => database?.patterns.find((one) => one.name === name)
    expect(scan).toMatchObject({ state: "done", round: 1 })
    expect(pulse).toMatchObject({ up: true, databases: [{ db: 0, keys: scan.keys }] })
    expect(of("user")).toMatchObject({ keys: 20, ttlHealth: { right: 20, missing: 0 } })
    expect(of("dish")?.keys).toBe(31)
    expect(of("order")?.keys).toBe(0)
    expect(database?.unknown).toMatchObject([
      { pattern: expect.any(String), keys: 1 },
      { pattern: expect.any(String), keys: 1 },
    ])
    expect(database?.biggest[0]?.ref).toMatch(/^[k~]/)
  })

  test("lists the keys of a pattern in pages, each once", async () => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const answer = await keys("restaurant", "dish", { limit: 7, cursor })
      seen.push(...answer.keys.map((one) => one.key))
      cursor = answer.next
      expect(answer).toMatchObject({ total: 31, partial: false })
    } while (cursor !== undefined)
    expect(seen).toEqual(Array.from({ length: 31 }, (_, i) => `dish:${i + 1}`))
  })

  test("lists the keys of a pattern among many others, each once", async () => {
    const many = Array.from({ length: 6000 }, (_, i) => ["SET", `dish:${i + 100}`, "{}"])
    await server().driver.batch(many)
    const { round } = (await page.call("GET /api/systems/:system/overview", { system: "restaurant" })).scan
    await page.call("POST /api/systems/:system/scan", { system: "restaurant" })
    await page.event("scan", (scan) => scan.state === "done" && scan.round > round)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const answer = await keys("restaurant", "dish", { limit: 500, cursor })
      seen.push(...answer.keys.map((one) => one.key))
      cursor = answer.next
    } while (cursor !== undefined)
    expect(seen.length).toBe(6031)
    expect(new Set(seen).size).toBe(6031)
    const few = await keys("restaurant", "category")
    expect(few.keys.map((one) => one.key)).toEqual(["category:1", "category:2", "category:3"])
    // The server's table has grown since the scan: the pages that were noted still hold every key that was there.
    const more = Array.from({ length: 20_000 }, (_, i) => ["SET", `cart:${i + 100}`, "{}"])
    await server().driver.batch(more)
    const again = await keys("restaurant", "dish", { "p.id": "60*", limit: 500 })
    const found = [...again.keys]
    for (let next = again.next; next !== undefined;) {
      const answer = await keys("restaurant", "dish", { "p.id": "60*", limit: 500, cursor: next })
      found.push(...answer.keys)
      next = answer.next
    }
    // While it moves into its larger table, SCAN may name a key twice.
    expect(new Set(found.map(({ key }) => key)).size).toBe(100 + 10)
  })

  test("filters by parameters and completes their values", async () => {
    const exact = await keys("restaurant", "dish", { "p.id": "7" })
    expect(exact.keys).toMatchObject([{ key: "dish:7", params: { id: "7" }, type: "string", ttlMs: null }])
    expect(JSON.stringify(exact.keys[0]?.cells)).toContain("dish 7")
    const some = await keys("restaurant", "dish", { "p.id": "2*" })
    expect(some.keys.map(({ params }) => params["id"]).sort()).toEqual([
      "2",
      "20",
      "21",
      "22",
      "23",
      "24",
      "25",
      "26",
      "27",
      "28",
      "29",
    ])
    const { values } = await page.call("GET /api/systems/:system/complete", {
      system: "restaurant",
      query: { pattern: "dish", param: "id", prefix: "3" },
    })
    expect(values).toEqual(["3", "30", "31"])
  })

  test("shows a record: fields, links, relations and reverse relations with counts", async () => {
    const dish = await key("restaurant", await named("restaurant", "dish:7"))
    expect(dish).toMatchObject({
      key: "dish:7",
      name: "dish",
      type: "string",
      entity: { name: "dish", role: "record", id: "7" },
    })
    expect(dish.fields?.find(({ name }) => name === "price")?.value).toMatchObject({ decoded: 7, raw: { text: "7" } })
    const category = dish.fields?.find(({ name }) => name === "categoryId")?.value.link
    expect(category?.key).toBe("category:2")
    const found = await key("restaurant", category!)
    const dishes = found.relations.find(({ name }) => name === "dishes")
    expect(dishes).toMatchObject({ how: "from", target: "dish", count: 10 })
    expect(dishes?.links.every(({ exists }) => exists)).toBe(true)
    expect(dish.relations.map(({ name }) => name)).toContain("index category")
  })

  test("follows a relation page by page, and says what points at nothing", async () => {
    for (let i = 100; i < 400; i++) await server().raw("SADD", "dish:index:category:3", String(i))
    const category = await key("restaurant", await named("restaurant", "category:3"))
    const dishes = category.relations.find(({ name }) => name === "dishes")!
    expect(dishes.count).toBe(310)
    const all = new Map(dishes.links.map((link) => [link.key, link.exists]))
    for (let next = dishes.next; next !== undefined;) {
      const more = await page.call("GET /api/systems/:system/related", {
        system: "restaurant",
        query: { db: 0, ref: category.ref, relation: "dishes", how: "from", cursor: next },
      })
      for (const link of more.links) all.set(link.key, link.exists)
      next = more.next
    }
    expect(all.size).toBe(310)
    expect([...all.values()].filter((exists) => !exists).length).toBe(300)
  })

  test("hides secrets everywhere, and reveals them only when asked to", async () => {
    const link = await named("restaurant", "user:1")
    const user = await key("restaurant", link)
    expect(user.hidden).toBe(true)
    expect(user.fields?.find(({ name }) => name === "password")?.value).toEqual({
      decoded: { "~": "secret" },
      secret: true,
    })
    expect(user.fields?.find(({ name }) => name === "username")?.value.decoded).toBe("user 1")
    expect(JSON.stringify(user)).not.toContain(PASSWORD)
    const rows = await keys("restaurant", "user")
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
    expect(
      (
        await page.refused("GET /api/systems/:system/bytes", {
          system: "restaurant",
          query: { db: 0, ref: link.ref, from: 0 },
        })
      ).code,
    ).toBe("STUDIO.QUERY")
    const revealed = await page.call("POST /api/systems/:system/reveal", {
      system: "restaurant",
      body: { db: 0, ref: link.ref, what: "key" },
    })
    expect(JSON.stringify(revealed)).toContain(PASSWORD)
    const { entries } = await page.call("GET /api/log")
    expect(entries[0]).toMatchObject({ what: "reveal", ok: true })
  })

  test("shows keys that nobody owns, and bytes as bytes", async () => {
    const { databases } = await page.call("GET /api/systems/:system/overview", { system: "restaurant" })
    const rows = await Promise.all(databases[0]!.unknown.map(({ name }) => keys("restaurant", name)))
    const found = rows.flatMap((one) => one.keys)
    expect(found.map((one) => one.key).sort()).toEqual(["bin\\xff\\xfe", "leftover:17"])
    const binary = found.find((one) => one.key.startsWith("bin"))!
    expect((await key("restaurant", binary)).value).toEqual({ decoded: { "~": "secret" }, secret: true })
    const revealed = await page.call("POST /api/systems/:system/reveal", {
      system: "restaurant",
      body: { db: 0, ref: binary.ref, what: "key" },
    })
    expect(revealed).toMatchObject({ key: { value: { raw: { base64: "AQL/", bytes: 3 } } } })
  })

  test("says why a value does not fit", async () => {
    const broken = await key("restaurant", await named("restaurant", "dish:31"))
    expect(broken.value?.error).toContain("does not fit its schema")
    expect(broken.value?.raw?.text).toBe('{"id":"31","name":5}')
  })

  test("finds patterns, entities, fields, codes and keys", async () => {
    const search = async (q: string) => (await page.call("GET /api/search", { query: { q } })).hits
    expect((await search("cart"))[0]).toMatchObject({ what: "entity", name: "cart" })
    expect(await search("refreshToken")).toContainEqual(
      expect.objectContaining({ what: "field", name: "user", field: "refreshToken" }),
    )
    expect(await search("INDEX.DANGLING")).toContainEqual(expect.objectContaining({ what: "finding" }))
    expect(await search("lines of a cart nowhere")).toEqual([])
    expect((await search("7")).filter(({ what }) => what === "key").length).toBeGreaterThan(1)
  })

  test("audits, plans, applies, and audits again: only what a person must decide is left", async () => {
    const system = "restaurant"
    expect((await page.call("POST /api/systems/:system/audit", { system })).state).toBe("running")
    const done = await page.event("audit", ({ state }) => state === "done")
    expect(done.findings).toBeGreaterThan(3)
    const { findings, groups } = await page.call("GET /api/systems/:system/audit/findings", {
      system,
      query: { limit: 100 },
    })
    expect(findings.length).toBe(done.findings)
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(done.findings)
    const about = await key(system, findings.find(({ code }) => code === "KEY.UNKNOWN")!.link)
    expect(about.findings.length).toBeGreaterThan(0)

    const plan = await page.call("POST /api/systems/:system/audit/plan", {
      system,
      body: { delete: ["unknown"] },
    })
    const rows = await page.call("GET /api/systems/:system/audit/plan", { system, query: { id: plan.id } })
    expect(rows.rows[0]?.commands.length).toBeGreaterThan(0)
    expect(
      (await page.refused("POST /api/systems/:system/audit/apply", { system, body: { id: plan.id, confirm: "yes" } }))
        .code,
    ).toBe("STUDIO.NOT_CONFIRMED")
    const { report } = await page.call("POST /api/systems/:system/audit/apply", {
      system,
      body: { id: plan.id, confirm: plan.confirm },
    })
    expect(report).toMatchObject({ done: plan.actions, skipped: 0, refused: 0 })
    const after = await page.event("audit", ({ state, startedAt }) => state === "done" && startedAt !== done.startedAt)
    expect(after.summary).toEqual({ "VALUE.UNDECODABLE": 1 })
    expect((await page.call("GET /api/log")).entries[0]).toMatchObject({ what: "apply", ok: true })
  })

  test("creates, changes and deletes a record through its repository", async () => {
    const system = "restaurant"
    const edit = {
      op: "create",
      pattern: "dish",
      params: {},
      fields: { name: "Cake", price: 4, categoryId: "2", available: true },
    }
    const preview = await page.call("POST /api/systems/:system/edit/preview", { system, body: edit })
    expect(preview).toMatchObject({ confirm: "dish:{id}" })
    expect(preview.commands.join("\n")).toContain("SET dish:{new id}")
    const created = await page.call("POST /api/systems/:system/edit", {
      system,
      body: { ...edit, confirm: preview.confirm },
    })
    expect(created.link?.key).toBe("dish:32")
    expect(await server().raw("SISMEMBER", "dish:index:category:2", "32")).toBe(1)

    const shown = await key(system, created.link!)
    const change = { op: "change", db: 0, ref: shown.ref, seen: shown.seen, fields: { categoryId: "3" } }
    await page.call("POST /api/systems/:system/edit", { system, body: { ...change, confirm: "dish:32" } })
    expect(await server().raw("SISMEMBER", "dish:index:category:2", "32")).toBe(0)
    expect(await server().raw("SISMEMBER", "dish:index:category:3", "32")).toBe(1)

    const stale = await page.refused("POST /api/systems/:system/edit", {
      system,
      body: { ...change, confirm: "dish:32" },
    })
    expect(stale).toMatchObject({ status: 409, code: "ENTITY.CHANGED" })

    const now = await key(system, created.link!)
    const remove = { op: "delete", db: 0, ref: now.ref, seen: now.seen, confirm: "dish:32" }
    expect((await page.call("POST /api/systems/:system/edit", { system, body: remove })).link).toBeUndefined()
    expect(await server().raw("EXISTS", "dish:32")).toBe(0)
    expect(await server().raw("SISMEMBER", "dish:index:category:3", "32")).toBe(0)
    const { entries } = await page.call("GET /api/log")
    expect(entries.map(({ what, ok }) => [what, ok])).toEqual([
      ["delete", true],
      ["change", false],
      ["change", true],
      ["create", true],
    ])
  })

  test("says what is wrong with an edit, field by field", async () => {
    const edit = { op: "create", pattern: "dish", params: {}, fields: { name: 5, price: -1, categoryId: "2" } }
    const refused = await page.refused("POST /api/systems/:system/edit/preview", { system: "restaurant", body: edit })
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.issues?.map(({ field }) => field).sort()).toEqual(["name", "price"])
    const taken = await page.refused("POST /api/systems/:system/edit", {
      system: "restaurant",
      body: { op: "create", pattern: "role", params: {}, fields: { name: "ADMIN" }, confirm: "role:{id}" },
    })
    expect(taken).toMatchObject({ status: 422, issues: [{ field: "name" }] })
  })

  test("does not let derived keys be edited", async () => {
    const index = await named("restaurant", "dish:index:category:1")
    expect((await key("restaurant", index)).edits).toEqual([])
    const refused = await page.refused("POST /api/systems/:system/edit/preview", {
      system: "restaurant",
      body: { op: "put", db: 0, ref: index.ref, fields: { member: "5" } },
    })
    expect(refused).toMatchObject({ status: 409, code: "STUDIO.NOT_EDITABLE" })
  })

  test("asks doctor, and shows its findings", async () => {
    const { server: facts, findings } = await page.call("GET /api/systems/:system/doctor", { system: "restaurant" })
    expect(facts.version).toMatch(/^\d+\./)
    expect(findings.length).toBeGreaterThan(0)
  })

  test("watches commands by pattern, without values, its own left out", async () => {
    const busy = setInterval(() => void server().raw("GET", "user:1"), 5)
    try {
      const seen = page.event("commands", ({ commands }) => commands.some(({ key }) => key === "user:1"), "restaurant")
      await page.event("live", () => true, "restaurant")
      const own = page.event(
        "commands",
        ({ commands }) => commands.some(({ command }) => command === "memory"),
        "restaurant",
      )
      await page.call("POST /api/systems/:system/scan", { system: "restaurant" })
      const frame = await page.event("live", ({ rows }) => rows.some(({ name }) => name === "user"), "restaurant")
      expect(frame.rows.find(({ name }) => name === "user")).toMatchObject({ command: "get", pattern: "user:{id}" })
      const { commands } = await seen
      expect(commands).toContainEqual(expect.objectContaining({ command: "get", key: "user:1", name: "user", db: 0 }))
      const next = page.event("live", () => true, "restaurant").then(() => "nothing of the studio's own")
      expect(await Promise.race([own, next])).toBe("nothing of the studio's own")
    } finally {
      clearInterval(busy)
    }
  })
})

onAnyServer("the studio on carto's six databases", (server) => {
  beforeEach(() => open(server(), "carto"))

  test("has all six, the reserved one too", async () => {
    const { systems } = await page.call("GET /api/session")
    expect(systems[0]?.databases.map(({ db, name }) => [db, name])).toEqual([
      [0, "tables_metadata"],
      [1, "queries_log"],
      [2, "threshold"],
      [3, "api_credentials"],
      [4, "node_details"],
      [5, "users_metadata"],
    ])
    const { tree } = await page.call("GET /api/systems/:system/schema", { system: "carto" })
    expect(tree.map(({ node }) => node)).toEqual(Array(6).fill("database"))
    const { databases } = await page.call("GET /api/systems/:system/overview", { system: "carto" })
    expect(databases.map((one) => one.keys)).toEqual([1, 1, 2, 1, 0, 2])
  })

  test("lists keys in their own database, secret segments sealed", async () => {
    const { keys: tokens } = await keys("carto", "credentials.oauthToken")
    expect(tokens).toMatchObject([{ db: 3, key: "rails:oauth_tokens:…", params: { oauthToken: "…" } }])
    expect(tokens[0]?.ref).toMatch(/^~/)
    const detail = await key("carto", tokens[0]!)
    expect(detail).toMatchObject({ type: "hash", hidden: true })
    expect(JSON.stringify([tokens, detail])).not.toContain(TOKEN)
    expect(Buffer.from(tokens[0]!.ref.slice(1), "base64url").toString("latin1")).not.toContain(TOKEN)
    const again = await keys("carto", "credentials.oauthToken")
    expect(again.keys[0]?.ref).toBe(tokens[0]?.ref)
    const searched = await page.call("GET /api/search", { query: { q: TOKEN } })
    expect(JSON.stringify(searched)).not.toContain(TOKEN)
    const guessed = await page.refused("GET /api/systems/:system/keys", {
      system: "carto",
      query: { pattern: "credentials.oauthToken", "p.oauthToken": "canary*" },
    })
    expect(guessed.code).toBe("STUDIO.QUERY")
  })

  test("shows fields of a hash, secret ones hidden", async () => {
    const user = await key("carto", await named("carto", "rails:users:jane"))
    expect(user).toMatchObject({ db: 5, kind: "hash", edits: ["change", "delete"] })
    expect(user.fields?.map(({ name, missing }) => [name, missing])).toEqual([
      ["id", false],
      ["database_name", false],
      ["map_key", false],
      ["api_calls", false],
      ["last_active_time", false],
    ])
    expect(JSON.stringify(user)).not.toContain(MAP_KEY)
    expect(user.relations.map(({ name }) => name)).toContain("users.mapViews")
  })

  test("pages through lists and sorted sets, in their order", async () => {
    const log = await key("carto", await named("carto", "log-2026-10-03"))
    expect(log.elements).toMatchObject({ columns: ["index", "item"], total: 250, ordered: true })
    expect(log.elements?.rows.length).toBe(100)
    expect(log.elements?.rows[0]?.cells[1]?.decoded).toMatchObject({ action: "show249" })
    const next = await page.call("GET /api/systems/:system/elements", {
      system: "carto",
      query: { db: 1, ref: log.ref, cursor: log.elements?.next, limit: 200 },
    })
    expect(next.rows.length).toBe(150)
    expect(next.next).toBeUndefined()
    const views = await key("carto", await named("carto", "user:jane:mapviews:global"))
    expect(views.elements?.rows[0]?.cells.map(({ decoded }) => decoded)).toEqual(["2026-10-10", 10])
  })

  test("edits fields, values and elements of plain keys through their codecs", async () => {
    const system = "carto"
    const apply = async (body: object, confirm: string) =>
      page.call("POST /api/systems/:system/edit", { system, body: { ...body, confirm } })
    const user = await key(system, await named(system, "rails:users:jane"))
    const place = { db: 5, ref: user.ref }
    await apply({ op: "change", ...place, seen: user.seen, fields: { id: "8", api_calls: null } }, user.key)
    await server()
      .driver.database(5)
      .then(async (five) => {
        expect(await five.send(["HGET", "rails:users:jane", "id"])).toBe("8")
        expect(await five.send(["HEXISTS", "rails:users:jane", "api_calls"])).toBe(0)
        expect(await five.send(["HGET", "rails:users:jane", "map_key"])).toBe(MAP_KEY)
      })
    const bad = await page.refused("POST /api/systems/:system/edit/preview", {
      system,
      body: { op: "change", ...place, seen: user.seen, fields: { id: "eight", nothing: "x" } },
    })
    expect(bad.issues?.map(({ field }) => field)).toEqual(["id", "nothing"])

    const stale = await page.refused("POST /api/systems/:system/edit", {
      system,
      body: { op: "change", ...place, seen: user.seen, fields: { id: "9" }, confirm: user.key },
    })
    expect(stale).toMatchObject({ status: 409, code: "STUDIO.CHANGED" })

    const views = await key(system, await named(system, "user:jane:mapviews:global"))
    const [first] = views.elements!.rows
    await apply(
      { op: "put", db: 5, ref: views.ref, element: first!.element, fields: { member: "20261010", score: "99" } },
      views.key,
    )
    await apply({ op: "remove", db: 5, ref: views.ref, element: views.elements!.rows[1]!.element }, views.key)
    const five = await server().driver.database(5)
    expect(await five.send(["ZSCORE", "user:jane:mapviews:global", "20261010"])).toBe("99")
    expect(await five.send(["ZCARD", "user:jane:mapviews:global"])).toBe(19)

    const log = await key(system, await named(system, "log-2026-10-03"))
    await apply({ op: "remove", db: 1, ref: log.ref, element: log.elements!.rows[1]!.element }, log.key)
    const one = await server().driver.database(1)
    expect(await one.send(["LLEN", "log-2026-10-03"])).toBe(249)
    expect(await one.send(["LINDEX", "log-2026-10-03", "1"])).toContain("show247")

    const total = await key(system, await named(system, "rails:users:7:queries:total"))
    await apply({ op: "change", db: 2, ref: total.ref, seen: total.seen, fields: { value: "50" } }, total.key)
    const fresh = { op: "create", pattern: "threshold.total", params: { userId: "12" }, fields: { value: "1" } }
    const made = await apply(fresh, "rails:users:12:queries:total")
    expect((await key(system, made.link!)).value?.decoded).toBe(1)
    expect(
      (
        await page.refused("POST /api/systems/:system/edit", {
          system,
          body: { ...fresh, confirm: "rails:users:12:queries:total" },
        })
      ).status,
    ).toBe(422)
    await apply(
      { op: "delete", db: 2, ref: made.link!.ref, seen: (await key(system, made.link!)).seen },
      "rails:users:12:queries:total",
    )
    expect(await (await server().driver.database(2)).send(["EXISTS", "rails:users:12:queries:total"])).toBe(0)
  })
})

describe.runIf(needs("redis-server"))("a server that goes away", () => {
  test("is said to be away, and looked at again when it is back", async () => {
    const redis = await startRedis()
    try {
      studio = await startStudio({ systems: [{ keyspace: restaurant, server: redis.url }] })
      page = await enter(studio)
      await page.event("scan", ({ state }) => state === "done")
      await redis.kill9()
      const down = page.event("pulse", ({ up }) => !up)
      expect((await page.call("GET /api/systems/:system/overview", { system: "restaurant" })).databases.length).toBe(1)
      const refused = await page.refused("GET /api/systems/:system/doctor", { system: "restaurant" })
      expect(refused.status).toBe(502)
      expect(JSON.stringify(refused)).not.toContain("STUDIO.UNEXPECTED")
      await down
      await redis.restart()
      await page.event("pulse", ({ up }) => up)
      await page.call("POST /api/systems/:system/scan", { system: "restaurant" })
      expect((await page.event("scan", ({ state }) => state === "done")).error).toBeUndefined()
    } finally {
      await redis.stop()
    }
  })
})

describe("without --write", () => {
  onAnyServer("the studio", (server) => {
    test("writes nothing, and says why", async () => {
      await open(server(), "restaurant", { write: false, reveal: false })
      const link = await named("restaurant", "dish:7")
      const dish = await key("restaurant", link)
      expect(dish.edits).toEqual([])
      const body = { op: "delete", db: 0, ref: link.ref, seen: dish.seen, confirm: "dish:7" }
      const refused = await page.refused("POST /api/systems/:system/edit", { system: "restaurant", body })
      expect(refused).toMatchObject({ status: 403, code: "STUDIO.READ_ONLY" })
      const apply = await page.refused("POST /api/systems/:system/audit/apply", {
        system: "restaurant",
        body: { id: "x", confirm: "x" },
      })
      expect(apply.code).toBe("STUDIO.READ_ONLY")
      const reveal = await page.refused("POST /api/systems/:system/reveal", {
        system: "restaurant",
        body: { db: 0, ref: link.ref, what: "key" },
      })
      expect(reveal.code).toBe("STUDIO.REVEAL_OFF")
    })
  })
})
