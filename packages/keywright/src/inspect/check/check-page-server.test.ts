/* A page, a schema and a server, of which two agree: the third is named. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { RespClient } from "../../../../../test/resp-client.ts"
import { pageCheckText } from "../../render/page-check-text.ts"
import { plain } from "../../render/paint.cases.ts"
import { id, int, keyspace, map, secret, set, string, text, zset } from "../../index.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { checkPagesAndServer } from "./check-page-server.ts"
import { infer } from "../infer/infer.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

const schema = keyspace(
  {
    cart: map("cart:{token}", text, int),
    seen: zset("viewed:{token}", text),
    members: set("members:{team}", text),
    session: string("session:{id}", secret(text), { params: { id: secret(text) } }),
    page: string("page:{path}", text, { ttl: "1h" }),
    roster: set("roster", text),
  },
  { ttl: "never" },
)

describe.runIf(needs("redis-server"))("a page, the schema and the server", () => {
  const server = redisForSuite()
  let raw: RespClient
  beforeAll(async () => {
    raw = await RespClient.connect(server.redis.port)
  })
  afterAll(async () => {
    raw?.close()
  })
  beforeEach(() => raw.send("FLUSHALL"))

  const look = async (page: string, ...commands: string[]) => {
    for (const command of commands) await raw.send(...command.split(" "))
    const { findings } = await checkPagesAndServer(schema, [{ file: "page.md", text: page }], server.driver)
    return findings.map(({ code, wrong, at }) => `${at?.line ?? "-"} ${wrong.join("/")} ${code}`)
  }

  const cases: readonly (readonly [
    title: string,
    page: string,
    commands: readonly string[],
    found: readonly string[],
  ])[] = [
    ["all agree", "`HGETALL cart:7`", ["HSET cart:7 a 1"], []],
    ["all agree on when it goes", "page:a expires after an hour", ["SET page:a x EX 3000"], []],
    ["the page says another time", "\npage:a has a TTL of 10m", ["SET page:a x EX 3000"], ["2 page PAGE.WRONG_TTL"]],
    ["the page says never", "page:a never expires", ["SET page:a x EX 3000"], ["1 page PAGE.WRONG_TTL"]],
    ["the schema says never", "cart:7, TTL 1d", ["HSET cart:7 a 1", "EXPIRE cart:7 60"], ["1 schema PAGE.WRONG_TTL"]],
    ["the schema says less", "page:a, TTL 1d", ["SET page:a x EX 80000"], ["1 schema PAGE.WRONG_TTL"]],
    ["nothing has a TTL", "page:a never expires", ["SET page:a x"], ["1 schema PAGE.WRONG_TTL"]],
    ["neither time", "page:a, TTL 1d", ["SET page:a x EX 900000"], ["1 server PAGE.WRONG_TTL"]],
    [
      "some have a TTL, some have none",
      "page:a, TTL 1d",
      ["SET page:a x EX 80", "SET page:b x"],
      ["1 server PAGE.WRONG_TTL"],
    ],
    ["a time that the server cannot tell", "page:a, TTL 1d", ["SET page:a x EX 80"], ["1 page/schema PAGE.WRONG_TTL"]],
    ["a time of keys that are not there", "page:a, TTL 1d", [], ["1 page/schema PAGE.WRONG_TTL"]],
    ["a key without its TTL", "page:a, TTL 1h", ["SET page:a x", "SET page:b x EX 9"], ["1 server SERVER.WRONG_TTL"]],
    ["a TTL that is too long", "page:a, TTL 1h", ["SET page:a x EX 9000"], ["1 server SERVER.WRONG_TTL"]],
    [
      "a TTL where there is none",
      "cart:7: no expiry",
      ["HSET cart:7 a 1", "EXPIRE cart:7 60"],
      ["1 server SERVER.WRONG_TTL"],
    ],
    ["the page uses another type", "\n`SMEMBERS cart:7`", ["HSET cart:7 a 1"], ["2 page PAGE.WRONG_TYPE"]],
    [
      "the schema has another type",
      "`LRANGE members:7 0 -1`",
      ["RPUSH members:7 a", "RPUSH members:8 a"],
      ["1 schema PAGE.WRONG_TYPE"],
    ],
    [
      "the server has two types",
      "`LRANGE members:7 0 -1`",
      ["RPUSH members:7 a", "SADD members:8 a"],
      ["1 server PAGE.WRONG_TYPE"],
    ],
    ["a type that the server cannot tell", "`LRANGE members:7 0 -1`", [], ["1 page/schema PAGE.WRONG_TYPE"]],
    [
      "the server has another type",
      "`HGETALL cart:7`",
      ["SET cart:7 x", "HSET cart:8 a 1"],
      ["1 server SERVER.WRONG_TYPE"],
    ],
    ["the page spells it differently", "`GET sesion:7`", ["SET session:7 x"], ["1 page PAGE.SPELLED_DIFFERENTLY"]],
    ["the schema spells it differently", "`GET sesion:7`", ["SET sesion:9 x"], ["1 schema PAGE.SPELLED_DIFFERENTLY"]],
    [
      "the server has both spellings",
      "`GET sesion:7`",
      ["SET sesion:9 x", "SET session:9 x"],
      ["1 server PAGE.SPELLED_DIFFERENTLY"],
    ],
    ["a key that only the page knows", "`GET price:{item}:eur`", [], ["1 page/schema PAGE.UNKNOWN_KEY"]],
    ["a key that page and server know", "`GET price:{item}:eur`", ["SET price:7:eur 1"], ["1 schema PAGE.UNKNOWN_KEY"]],
    [
      "keys that nobody knows",
      "`HGETALL cart:7`",
      ["HSET cart:7 a 1", "SET lock:9f86d081 1"],
      ["- server SERVER.UNKNOWN_KEYS"],
    ],
    ["a key that is a plain word", "Everybody in `roster` is invited.", ["SADD roster a"], []],
    ["a type beside a key", "`roster` (list)", ["SADD roster a"], ["1 page PAGE.WRONG_TYPE"]],
    ["keys that the page is silent about", "`HGETALL cart:7`", ["ZADD viewed:7 1 a"], ["- page PAGE.SILENT"]],
  ]
  it.each(cases)("%s", async (_, page, commands, found) => {
    expect(await look(page, ...commands)).toEqual(found)
  })

  it("keeps secrets to itself, writes nothing, and takes the toolkit's own keys for known", async () => {
    await raw.send("RPUSH", "session:canary-secret", "canary-value")
    await raw.send("SET", "keywright:lease:job", "x")
    const { findings, keys } = await checkPagesAndServer(
      schema,
      [{ file: "p.md", text: "`GET session:7`" }],
      server.driver,
    )
    expect(JSON.stringify(findings)).not.toContain("canary")
    expect(findings.map(({ code }) => code)).toEqual(["SERVER.WRONG_TYPE"])
    expect([keys, await raw.send("DBSIZE")]).toEqual([2, 2])
  })

  it("without a schema, what the server's own keys are like takes its place", async () => {
    for (let i = 0; i < 30; i++) await raw.send("HSET", `cart:${i}`, "a", i)
    const { form } = await infer(server.driver)
    const page = { file: "p.md", text: "`HGETALL cart:7`\n`SMEMBERS cart:8`\n`GET user:{id}:name`" }
    const { findings } = await checkPagesAndServer(fromJson(form), [page], server.driver, { isInferred: true })
    expect(findings.map(({ wrong, at }) => [at?.line, ...wrong])).toEqual([
      [2, "page"],
      [3, "page"],
    ])
    expect(pageCheckText(findings, plain)).toContain("wrong: 2 on the page")
    expect(pageCheckText(findings, plain)).not.toContain("in the schema")
  })

  it("a key with a hash tag right behind an id keeps no page from being checked", async () => {
    await raw.send("SET", "note:7{x}z", "text")
    const tagged = keyspace(
      {
        note: string("note:{n}{{tag}}z", text, {
          params: { n: id("n", { matching: /\d+/ }), tag: id("tag", { matching: /[a-z]+/ }) },
        }),
      },
      { ttl: "never" },
    )
    const page = { file: "p.md", text: "`LRANGE note:7{x}z 0 -1`" }
    const { findings } = await checkPagesAndServer(tagged, [page], server.driver)
    expect(findings.map(({ wrong, at }) => [at?.line, ...wrong])).toEqual([[1, "page"]])
  })
})
