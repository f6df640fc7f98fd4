/* infer as an inheritor judges it: the patterns are those that the author had in mind,
 * neither more nor fewer, nothing is left over, and audit has nothing to add. */

import { describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import type { Command } from "../../driver/driver.ts"
import { inferSource } from "../../render/source/infer-source.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { audit } from "../audit/audit.ts"
import { unmarkedSecrets } from "../check/check-secrets.ts"
import { infer, type Inference } from "./infer.ts"
import { inherited } from "./inherited.cases.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

const anonymous = (pattern: string): string => pattern.replace(/\{\w+\}/g, "{}")

describe.runIf(needs("redis-server"))("inherited keyspaces", { timeout: 60_000 }, () => {
  const server = redisForSuite()
  const proposals = new Map<string, Inference>()

  it.each(Object.entries(inherited))("%s", async (title, kinds) => {
    await server.driver.send(["FLUSHALL"])
    for (const [count, , key, write, ttl] of kinds)
      await server.driver.batch(
        Array.from({ length: count }, (_, i) => i + 1).flatMap((n): Command[] => [
          write(n)(key(n)),
          ...(ttl === undefined ? [] : [["EXPIRE", key(n), String(ttl - (n % 20))] as Command]),
        ]),
      )
    const found = await infer(server.driver)
    proposals.set(title, found)
    expect(found.patterns.map(({ pattern }) => anonymous(pattern)).sort()).toEqual(
      [...new Set(kinds.map(([, pattern]) => pattern))].sort(),
    )
    expect([found.explained, found.unexplained]).toEqual([found.keys, []])
    for (const [, pattern, , , ttl] of kinds)
      expect([pattern, found.patterns.find((one) => anonymous(one.pattern) === pattern)!.ttl.class === "none"]).toEqual(
        [pattern, ttl === undefined],
      )
    const keyspace = fromJson(found.form)
    expect((await audit(keyspace, server.driver)).summary).toEqual({})
    expect(keyspace.keys.flatMap((key) => unmarkedSecrets(key, keyspace.keys))).toEqual([])
  })

  const notesOf = (title: string): string[] => proposals.get(title)!.patterns.flatMap(({ notes }) => notes)

  it("takes few keys of a kind together on a server with many of another, whenever they come", async () => {
    await server.driver.send(["FLUSHALL"])
    const numbers = Array.from({ length: 6000 }, (_, i) => i + 1)
    await server.driver.batch(numbers.map((n) => ["SET", `page:p${n}x`, "text"]))
    const towns = "berlin paris london madrid rome vienna prague warsaw".split(" ")
    await server.driver.batch([
      ...towns.flatMap((town): Command[] => [
        ["SADD", `drivers:${town}`, town],
        ["RPUSH", `jobs:${town}:pending`, town],
      ]),
      ["SET", "page:counter", "6000"],
      ["SADD", "page:all", "p1x"],
    ])
    const { patterns, unexplained } = await infer(server.driver)
    expect(unexplained).toEqual([])
    expect(patterns.map(({ pattern, keys }) => `${anonymous(pattern)} ${keys}`).sort()).toEqual([
      "drivers:{} 8",
      "jobs:{}:pending 8",
      "page:all 1",
      "page:counter 1",
      "page:{} 6000",
    ])
  })

  it("says what packed a value", () => {
    expect(notesOf("Spring Session: packed fields, odd names")).toContain("creationTime: Java-serialised")
    expect(new Set(notesOf("Rails: fragments, a version before a digest"))).toEqual(new Set(["marshalled by Ruby"]))
    expect(notesOf("many measures, many kinds of records")).toEqual(
      expect.arrayContaining(["serialised by PHP (igbinary)", "serialised by PHP"]),
    )
    expect(notesOf("Spring Data: a word where ids stand")).toContain("written by Jackson, with the class in @class")
    expect(notesOf("addresses of all kinds, weeks, languages")).toContain("HTML")
  })

  it("names what is known for what it is", () => {
    const addresses = proposals.get("addresses of all kinds, weeks, languages")!.patterns.map(({ pattern }) => pattern)
    expect(addresses).toEqual(
      expect.arrayContaining(["mac:{mac}", "ban:{ip}", "page:{url}", "otp:{phone}", "api:/v1/users/{user}/posts"]),
    )
    const tenants = proposals.get("tenants before everything, days between slashes")!.patterns
    expect(tenants.map(({ pattern }) => pattern)).toContainEqual(
      expect.stringContaining("/orders/{year}/{month}/{day}/"),
    )
  })

  it("marks what opens doors, and does not print it", () => {
    const printed = (title: string) => inferSource(proposals.get(title)!, { day: "2026-01-01" })
    expect(printed("addresses of all kinds, weeks, languages")).toContain('otp: string("otp:{phone}", secret(text)')
    expect(printed("people, and pairs of people")).toContain("password: secret(text)")
    expect(printed("Laravel: two queues, digests, sessions")).toMatch(/secret\(id\("\w*[sS]ession"\)\)/)
  })
})
