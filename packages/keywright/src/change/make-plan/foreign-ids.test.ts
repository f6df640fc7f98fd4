/* Ids whose key belongs to another pattern: `user:counter` exists, and is not a user. A plan file lists none of them, and what
 * lists them is dangling. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { id, json, keyspace, layout, set } from "../../index.ts"
import { audit } from "../../inspect/audit/audit.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair } from "../carry-out/carry-out.ts"
import { loadPlan } from "./plan-file.ts"
import { planRepair } from "./plan-repair.ts"
import { throughFile } from "../check-plan/saved-plan.cases.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const User = json(z.object({ id: z.string(), email: z.string(), role: z.string(), boss: z.string().optional() }))
const schema = keyspace(
  {
    user: record("user", User, { unique: { email: "email" }, index: { role: ["role"] } }),
    friends: set("friends:{user}", id("user")),
  },
  {
    ttl: "never",
    relations: { user: { friends: { many: "user", through: "friends" }, boss: { one: "user", from: "boss" } } },
  },
) as unknown as Keyspace

const right: readonly Command[] = [
  ["SET", "user:1", JSON.stringify({ id: "1", email: "ann@x", role: "A" })],
  ["SADD", "user:list", "1"],
  ["SADD", "user:index:role:A", "1"],
  ["SET", "user:index:email:ann@x", "1"],
  ["SET", "user:counter", "1"],
]

const folder = mkdtempSync(join(tmpdir(), "keywright-foreign-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

onAnyServer("an id whose key belongs to another pattern", (server) => {
  const sendAll = async (...commands: readonly Command[]) => {
    for (const command of commands) await server().driver.send(command)
  }
  beforeEach(() => sendAll(...right))

  it("is not put into a list by a plan file", async () => {
    const { driver } = server()
    for (const name of ["counter", "list"]) {
      const action = {
        ...{ code: "LIST.MISSING", db: 0, pattern: "user:list", key: "user:list", why: "x", undo: [] },
        expects: [{ read: ["EXISTS", `user:${name}`], is: 1 }],
        commands: [["SADD", "user:list", name]],
      }
      const file = join(folder, "forged.json")
      writeFileSync(file, JSON.stringify({ ...(await planRepair([], schema, driver)), actions: [action] }))
      await expect(loadPlan(file, schema, driver)).rejects.toMatchObject({ code: "CHANGE.PLAN" })
    }
  })

  it("is dangling wherever it is, and repair removes it", async () => {
    await sendAll(
      ["SADD", "user:list", "counter", "list"],
      ["SADD", "user:index:role:A", "list"],
      ["SET", "user:index:email:ann@x", "counter"],
      ["SET", "user:index:email:eve@x", "list"],
      ["SADD", "friends:1", "list"],
    )
    const { driver } = server()
    const { findings, summary } = await audit(schema, driver)
    expect(summary).toEqual({ "INDEX.DANGLING": 1, "LIST.DANGLING": 2, "THROUGH.DANGLING": 1, "UNIQUE.DANGLING": 2 })
    const made = await throughFile(await planRepair(findings, schema, driver), schema, driver)
    expect(await applyRepair(made, driver)).toMatchObject({ done: 6 })
    expect((await audit(schema, driver)).summary).toEqual({})
    expect(await driver.send(["GET", "user:index:email:ann@x"])).toBe("1")
    expect(await driver.send(["EXISTS", "user:index:email:eve@x"])).toBe(0)
    expect(await driver.send(["SMEMBERS", "user:list"])).toEqual(["1"])
  })

  it("is missing for a field that refers to it", async () => {
    await sendAll(["SET", "user:1", JSON.stringify({ id: "1", email: "ann@x", role: "A", boss: "list" })])
    const { findings } = await audit(schema, server().driver)
    expect(findings.map(({ code, found }) => `${code}: ${found}`)).toEqual([
      "REFERENCE.MISSING: a key of another pattern",
    ])
  })
})
