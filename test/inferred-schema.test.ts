/* A proposal is a program: it compiles with each validation library, and by what it
 * declares audit finds nothing on the server that it was made from. */

import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Keyspace } from "keywright"
import type { Driver } from "../packages/keywright/src/driver/driver.ts"
import { openResp } from "../packages/keywright/src/driver/resp/open-resp.ts"
import { audit } from "../packages/keywright/src/inspect/audit/audit.ts"
import { infer, type Inference } from "../packages/keywright/src/inspect/infer/infer.ts"
import { oddities } from "../packages/keywright/src/inspect/infer/oddities.cases.ts"
import { kept, ordered } from "../packages/keywright/src/inspect/infer/structure/structure.cases.ts"
import { inferSource } from "../packages/keywright/src/render/source/infer-source.ts"
import { fromJson } from "../packages/keywright/src/schema/json/from-json.ts"
import { commands } from "../bench/src/audit/data.ts"
import { compile, folderOf } from "./examples-run.ts"
import { needs } from "./needs.ts"
import { type RealRedis, startRedis } from "./real-redis.ts"
import { RespClient } from "./resp-client.ts"

const libraries = ["zod", "valibot", "arktype"] as const

describe.runIf(needs("redis-server"))("a proposed schema", { timeout: 120_000 }, () => {
  let redis: RealRedis
  let driver: Driver
  let plain: Inference
  let odd: Inference
  let rich: Inference
  let whole: Inference
  let place: Awaited<ReturnType<typeof folderOf>>
  let messages: Awaited<ReturnType<typeof compile>>

  beforeAll(async () => {
    redis = await startRedis()
    driver = openResp(redis.url)
    const client = await RespClient.connect(redis.port)
    for (const text of commands(120)) for (const command of wordsOf(text)) await client.send(...command)
    client.close()
    plain = await infer(driver, { name: "plain" })
    const other = await driver.database(1)
    for (const command of oddities) await other.send(command)
    odd = await infer(other, { databases: [1], name: "odd" })
    const third = await driver.database(2)
    await third.batch([...ordered, ...kept()])
    rich = await infer(third, { databases: [2], name: "rich" })
    const program = (file: string, text: string) => ({
      file,
      text,
      line: 0,
      runs: false,
      prints: "",
      refused: new Map(),
    })
    whole = await infer(driver, { name: "whole" })
    place = await folderOf([
      program("whole.ts", inferSource(whole, { day: "2026-01-01" })),
      ...libraries.flatMap((library) => [
        program(`${library}.ts`, inferSource(plain, { library, day: "2026-01-01" })),
        program(`${library}-odd.ts`, inferSource(odd, { library, day: "2026-01-01" })),
        program(`${library}-rich.ts`, inferSource(rich, { library, day: "2026-01-01" })),
      ]),
    ])
    messages = await compile(place.folder)
  }, 120_000)
  afterAll(async () => {
    await place?.remove()
    await driver?.close()
    await redis?.stop()
  })

  const load = async (file: string): Promise<Keyspace> => {
    const url = pathToFileURL(join(place.folder, ".js", file)).href
    return ((await import(/* @vite-ignore */ url)) as { schema: Keyspace }).schema
  }

  it("explains all but what has no text for a name", () => {
    expect(plain.explained).toBe(plain.keys)
    expect(odd.unexplained.map(({ reason, keys }) => [reason, keys])).toEqual([["not text", 1]])
  })

  it("is one program for all databases of a server", async () => {
    expect(Object.fromEntries(messages.get("whole.ts") ?? [])).toEqual({})
    expect(Object.keys(whole.form.relations ?? {})).not.toEqual([])
    expect((await audit(await load("whole.js"), driver)).summary).toEqual({ "KEY.UNKNOWN": 1 })
  })

  it.each(libraries)("compiles with %s, and audit finds nothing but what was not explained", async (library) => {
    for (const file of [`${library}.ts`, `${library}-odd.ts`, `${library}-rich.ts`])
      expect([file, Object.fromEntries(messages.get(file) ?? [])]).toEqual([file, {}])
    expect((await audit(await load(`${library}.js`), driver)).summary).toEqual({})
    expect((await audit(await load(`${library}-rich.js`), await driver.database(2))).summary).toEqual({})
    const { summary, findings } = await audit(await load(`${library}-odd.js`), await driver.database(1))
    expect(summary, JSON.stringify(findings.slice(0, 3))).toEqual({ "KEY.UNKNOWN": 1 })
  })

  it("runs nothing that the data says", () => {
    expect(Object.keys(globalThis)).not.toContain("codeOfData")
  })

  it("says the same in its JSON form", async () => {
    expect((await audit(fromJson(plain.form), driver)).summary).toEqual({})
    expect((await audit(fromJson(odd.form), await driver.database(1))).summary).toEqual({ "KEY.UNKNOWN": 1 })
  })

  it("does not print what looks like a secret", () => {
    const text = inferSource(plain, { day: "2026-01-01" })
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4000/)
    expect(text).toContain('secret: ["password"]')
    expect(JSON.stringify(plain)).not.toContain("argon2id$")
  })
})

/** RESP as the bench streams it, taken apart. */
function* wordsOf(text: string): Generator<string[]> {
  const lines = text.split("\r\n")
  for (let at = 0; at + 1 < lines.length;) {
    const count = Number(lines[at]!.slice(1))
    yield Array.from({ length: count }, (_, i) => lines[at + 2 + 2 * i]!)
    at += 1 + 2 * count
  }
}
