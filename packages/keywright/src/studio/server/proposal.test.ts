/* A system without a schema: what the studio says about it, and the file that it becomes. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { infer } from "../../inspect/infer/infer.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { OpenSystem, type StudioSystem } from "./open-system.ts"
import { saveProposal } from "./proposal.ts"
import { type RunningStudio, startStudio } from "./start-studio.ts"
import { enter } from "./studio-client.cases.ts"

const SYSTEM = { system: "found" }

describe.runIf(needs("redis-server"))("a system without a schema", { timeout: 60_000 }, () => {
  let redis: RealRedis
  let given: StudioSystem
  let studio: RunningStudio | undefined
  const open = async (write: boolean) => enter((studio = await startStudio({ systems: [given], write })))
  beforeAll(async () => {
    redis = await startRedis()
    const driver = openResp(redis.url)
    for (let n = 1; n <= 60; n++)
      await driver.batch([
        ["SET", `user:${n}`, JSON.stringify({ id: n, email: `u${n}@example.com`, password: `canary-${n}` })],
        ["SET", `user:index:email:u${n}@example.com`, String(n)],
        ["SADD", "user:list", String(n)],
      ])
    const inference = await infer(driver)
    given = { name: "found", keyspace: fromJson(inference.form) as Keyspace, server: redis.url, inference }
    // After the proposal was made: an index that is out of step with it.
    await driver.send(["SET", "user:index:email:nobody@example.com", "999"])
    await driver.close()
  }, 60_000)
  afterEach(() => studio?.close())
  afterAll(() => redis?.stop())

  it("says so, and gives the proposal as a file without secrets", async () => {
    const page = await open(false)
    const [info] = (await page.call("GET /api/session")).systems
    expect(info).toMatchObject({ name: "found", inferred: { keys: 121, explained: 121 } })
    const { source } = await page.call("GET /api/systems/:system/proposal", SYSTEM)
    expect(source).toContain('unique: { email: "user:index:email:{email}" }')
    expect(source).not.toContain("canary-")
  })

  it("is audited, but repaired by nothing that nobody has confirmed", async () => {
    const page = await open(true)
    await page.call("POST /api/systems/:system/audit", SYSTEM)
    const state = () => page.call("GET /api/systems/:system/audit", SYSTEM)
    await expect.poll(async () => (await state()).state, { timeout: 30_000 }).toBe("done")
    const audit = await state()
    expect(audit.summary).toMatchObject({ "UNIQUE.DANGLING": 1 })
    expect([audit.fixable, "TTL.UNDECIDED" in audit.summary]).toEqual([0, false])
    const refused = await page.refused("POST /api/systems/:system/audit/plan", SYSTEM)
    expect(refused).toMatchObject({ status: 409, code: "STUDIO.UNCONFIRMED" })
  })

  it("is saved only with --write", async () => {
    const page = await open(false)
    const asked = { ...SYSTEM, body: { path: "schema.ts" } }
    const refused = await page.refused("POST /api/systems/:system/proposal/save", asked)
    expect(refused).toMatchObject({ status: 403, code: "STUDIO.READ_ONLY" })
  })

  it("a schema that was declared is not a proposal", async () => {
    const { inference: _, ...declared } = given
    const page = await enter((studio = await startStudio({ systems: [declared], write: true })))
    const refused = await page.refused("GET /api/systems/:system/proposal", SYSTEM)
    expect(refused).toMatchObject({ status: 404 })
  })

  describe("saved as a file", () => {
    let [folder, outside]: string[] = []
    let system: OpenSystem
    beforeAll(async () => {
      ;[folder, outside] = ["inside-", "outside-"].map((name) => mkdtempSync(join(tmpdir(), name)))
      mkdirSync(join(folder!, "src"))
      symlinkSync(outside!, join(folder!, "link"))
      writeFileSync(join(folder!, "taken.ts"), "mine")
      symlinkSync(join(outside!, "through.ts"), join(folder!, "dangling.ts"))
      system = await OpenSystem.open(given, "found")
    })
    afterAll(async () => {
      await system?.close()
      for (const one of [folder!, outside!]) rmSync(one, { recursive: true, force: true })
    })

    it.each(["schema.ts", "src/keys.ts"])("%s is written", (path) => {
      expect(saveProposal(system, path, folder)).toEqual({ file: path })
      expect(readFileSync(join(folder!, path), "utf8")).toContain("keyspace(")
    })

    it("never over a file that exists, nor through a link", () => {
      for (const path of ["taken.ts", "dangling.ts"])
        expect(() => saveProposal(system, path, folder)).toThrow(/exists already/)
      expect(readFileSync(join(folder!, "taken.ts"), "utf8")).toBe("mine")
      expect(existsSync(join(outside!, "through.ts"))).toBe(false)
    })

    it.each([
      "../x.ts",
      "/tmp/x.ts",
      "link/x.ts",
      "src/../../x.ts",
      "x.sh",
      "",
      "a b.ts",
      "x.ts\0",
      "C:\\x.ts",
      "~/x.ts",
    ])("%j is refused", (path) => {
      expect(() => saveProposal(system, path, folder)).toThrow(/is not a place for a schema/)
      expect(existsSync(join(outside!, "x.ts"))).toBe(false)
    })

    it("a folder that is not there is said to be", () => {
      expect(() => saveProposal(system, "nowhere/x.ts", folder)).toThrow(/cannot be written/)
    })
  })
})
