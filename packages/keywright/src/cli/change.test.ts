/* repair, purge, export and import as their users call them. */

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { exportOf, signed } from "../change/copy/hostile-export.cases.ts"
import { bistro, CANARY, fillBistro, openBistro } from "../inspect/audit/bistro.cases.ts"
import { toJson } from "../schema/json/to-json.ts"
import { freshBundle, runCli } from "./run-cli.cases.ts"
import { redisForSuite } from "../driver/redis-for-suite.cases.ts"

describe.runIf(needs("redis-server"))("the commands that change data", () => {
  const folder = mkdtempSync(join(tmpdir(), "keywright-cli-"))
  const schema = join(folder, "schema.json")
  const server = redisForSuite()
  const cli = (...args: string[]) => runCli([...args, "--schema", schema, "--url", server.redis.url], { cwd: folder })

  beforeAll(async () => {
    await freshBundle()
    writeFileSync(schema, JSON.stringify(toJson(bistro as never)))
  }, 60_000)
  beforeEach(async () => {
    await server.driver.send(["FLUSHALL"])
    const db = await openBistro(server.redis.url)
    await fillBistro(db, 12)
    await db.$close()
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
  })

  it("repair shows a plan, carries it out and takes it back", async () => {
    await server.driver.send(["SADD", "dish:index:category:3", "ghost"])
    const plan = await cli("repair", "--out", "plan.json")
    expect(plan.code, plan.stderr).toBe(1)
    expect(plan.stdout).toContain("SREM dish:index:category:3 ghost")
    const applied = await cli("repair", "--apply", "plan.json", "--json")
    expect(applied.code).toBe(0)
    expect(JSON.parse(applied.stdout)).toMatchObject({ done: 1, skipped: 0, byCode: { "INDEX.DANGLING": 1 } })
    expect((await cli("repair")).stdout).toContain("nothing to do")
    expect((await cli("repair", "--undo", "plan.json")).code).toBe(0)
    expect(await server.driver.send(["SISMEMBER", "dish:index:category:3", "ghost"])).toBe(1)
    expect((await cli("repair", "--delete", "all")).code).toBe(2)
  }, 30_000)

  it("repair runs no command that a plan file names, whatever its fingerprint says", async () => {
    await server.driver.send(["SADD", "dish:index:category:3", "ghost"])
    await cli("repair", "--out", "good.json")
    const good = JSON.parse(readFileSync(join(folder, "good.json"), "utf8")) as { actions: object[]; schema: object }
    const flush = { ...good.actions[0], code: "LIST.MISSING", key: "dish:list", commands: [["FLUSHALL", "SYNC"]] }
    for (const evil of [
      { ...good, actions: [flush] },
      { ...good, actions: [flush], schema: { fingerprint: "0000" } },
      { ...good, schema: { fingerprint: "0000" } },
    ]) {
      writeFileSync(join(folder, "evil.json"), JSON.stringify(evil))
      for (const word of ["--apply", "--undo"]) expect((await cli("repair", word, "evil.json")).code).toBe(2)
    }
    expect(await server.driver.send(["SISMEMBER", "dish:index:category:3", "ghost"])).toBe(1)
    const applied = await cli("repair", "--apply", "good.json")
    expect(applied.stderr, "the plan is shown").toContain("SREM dish:index:category:3 ghost")
    expect(applied.stdout).toContain("1 done")
  }, 30_000)

  it.runIf(needs("script"))(
    "repair asks a person before it carries out a plan",
    async () => {
      await server.driver.send(["SADD", "dish:index:category:3", "ghost"])
      await cli("repair", "--out", "ask.json")
      const words = ["repair", "--apply", "ask.json", "--schema", schema, "--url", server.redis.url]
      const declined = await runCli(words, { cwd: folder, typed: "n\n" })
      expect(declined.stdout).toContain("SREM dish:index:category:3 ghost")
      expect(declined.stdout).toContain("nothing was changed")
      expect(await server.driver.send(["SISMEMBER", "dish:index:category:3", "ghost"])).toBe(1)
      await runCli([...words, "--yes"], { cwd: folder, typed: "" })
      expect(await server.driver.send(["SISMEMBER", "dish:index:category:3", "ghost"])).toBe(0)
    },
    30_000,
  )

  it("a plan that stopped at a full disk is continued and undone", async () => {
    const script = "for i = 1, 3000 do redis.call('SET', 'junk:' .. i, i) end return redis.call('DBSIZE')"
    const before = await server.driver.send(["EVAL", script, "0"])
    await cli("purge", "--unknown", "--keep-undo", "--out", "full.json")
    const call = ["--schema", schema, "--url", server.redis.url, "--yes"]
    const options = { cwd: folder, fullDisk: 2 }
    const stopped = await runCli(["purge", "--apply", "full.json", ...call], options)
    expect([stopped.code, stopped.stderr]).toEqual([4, expect.stringContaining("EFBIG")])
    const undone = await cli("purge", "--undo", "full.json")
    expect([undone.code, undone.stderr]).toEqual([0, expect.any(String)])
    expect(await server.driver.send(["DBSIZE"])).toBe(before)
    for (const journal of ["journal", "undo-journal"]) rmSync(join(folder, `full.json.${journal}`))
    const unbegun = await runCli(["purge", "--apply", "full.json", ...call], { ...options, fullDisk: 0 })
    expect([unbegun.code, unbegun.stderr]).toEqual([2, expect.stringContaining("FILE.UNWRITABLE  full.json.journal")])
    expect(await server.driver.send(["DBSIZE"])).toBe(before)
  }, 30_000)

  it("what a full disk has no room for does not pass for written", async () => {
    const options = { cwd: folder, fullDisk: 2, into: "page.md" }
    const { code, stderr } = await runCli(["docs", "--schema", schema], options)
    expect([code, stderr]).toEqual([2, expect.stringContaining("FILE.UNWRITABLE  standard output cannot be written")])
  })

  it("a page is as it was where a full disk has no room for its new part", async () => {
    const page = `Keys\n<!-- keywright:begin -->\n<!-- keywright:end -->\n${"What people wrote.\n".repeat(100)}`
    writeFileSync(join(folder, "README.md"), page)
    const { code, stderr } = await runCli(["docs", "--schema", schema, "--into", "README.md"], {
      cwd: folder,
      fullDisk: 2,
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining("FILE.UNWRITABLE")])
    expect(readFileSync(join(folder, "README.md"), "utf8")).toBe(page)
    expect(readdirSync(folder).filter((name) => name.startsWith("README"))).toEqual(["README.md"])
  })

  it("an undo accounts for every action, and a second call says what was done before", async () => {
    await server.driver.send(["SADD", "dish:index:category:3", "ghost"])
    await server.driver.send(["DEL", "dish:counter"])
    await cli("repair", "--out", "counts.json")
    expect((await cli("repair", "--apply", "counts.json")).stdout).toBe("2 done\n")
    expect((await cli("repair", "--apply", "counts.json")).stdout).toBe("2 done, all of it earlier\n")
    const undone = await cli("repair", "--undo", "counts.json")
    expect(undone.stdout).toBe("1 of 2 undone; 1 cannot be undone: COUNTER.BEHIND 1\n")
    expect(undone.code).toBe(0)
    const { actions, done, lasting } = JSON.parse((await cli("repair", "--undo", "counts.json", "--json")).stdout) as {
      actions: number
      done: number
      lasting: number
    }
    expect([actions, done, lasting]).toEqual([2, 1, 1])
  }, 30_000)

  it("a plan that was undone is not called carried out", async () => {
    await server.driver.send(["SADD", "dish:index:category:3", "ghost"])
    await cli("repair", "--out", "again.json")
    await cli("repair", "--apply", "again.json")
    await cli("repair", "--undo", "again.json")
    const again = await cli("repair", "--apply", "again.json")
    expect([again.code, again.stdout]).toEqual([2, ""])
    expect(again.stderr).toContain("CHANGE.UNDONE")
    for (const journal of ["journal", "undo-journal"]) rmSync(join(folder, `again.json.${journal}`))
    expect((await cli("repair", "--apply", "again.json")).stdout).toBe("1 done\n")
    expect(await server.driver.send(["SISMEMBER", "dish:index:category:3", "ghost"])).toBe(0)
  }, 30_000)

  it("a plan says before it is carried out how much of it is outdated", async () => {
    const [id] = (await server.driver.send(["SMEMBERS", "dish:index:category:3"])) as string[]
    await server.driver.send(["SREM", "dish:index:category:3", id!])
    await cli("repair", "--out", "old.json")
    const dish = (await server.driver.send(["GET", `dish:${id}`])) as string
    await server.driver.send(["SET", `dish:${id}`, `${dish} `])
    const applied = await cli("repair", "--apply", "old.json")
    expect(applied.stderr).toContain("1 of them will be skipped, because the data has changed since")
    expect(applied.stdout).toContain("0 of 1 done; 1 skipped")
    expect(applied.code).toBe(4)
  }, 30_000)

  it("a plan says before it is carried out what nothing takes back, and promises no undo", async () => {
    await server.driver.send(["SET", "lock:1", "x"])
    await server.driver.send(["SADD", "dish:index:category:3", "ghost"])
    expect((await cli("repair", "--delete", "unknown", "--out", "kept.json")).stderr).not.toContain("cannot be undone")
    const plan = JSON.parse(readFileSync(join(folder, "kept.json"), "utf8")) as { actions: { code: string }[] }
    const actions = plan.actions.map((action) => ({ ...action, undo: [] }))
    writeFileSync(join(folder, "lost.json"), JSON.stringify({ ...plan, actions }))
    const applied = await cli("repair", "--apply", "lost.json")
    expect(applied.stderr).toContain("cannot be undone: INDEX.DANGLING 1, KEY.UNKNOWN 1")
    expect(applied.stdout).toContain("2 done")
    expect(applied.stderr).not.toContain("to undo it")
    await server.driver.send(["SET", "lock:1", "x"])
    expect((await cli("purge", "--unknown")).stderr).toContain("cannot be undone: PURGE 1")
    expect((await cli("purge", "--unknown", "--keep-undo", "--apply")).stderr).toContain("to undo it")
  }, 30_000)

  it("a preview writes no file; that of purge does not count as a finding", async () => {
    await server.driver.send(["SET", "lock:1", "x"])
    const before = readdirSync(folder)
    const preview = await cli("purge", "--unknown")
    expect(preview.stdout).toContain("UNLINK lock:1")
    expect(preview.stderr).toContain("nothing was written; add --apply")
    expect(preview.code).toBe(0)
    expect((await cli("repair", "--delete", "unknown")).code).toBe(1)
    expect(readdirSync(folder)).toEqual(before)
    expect(await server.driver.send(["EXISTS", "lock:1"])).toBe(1)
  }, 30_000)

  it("a plan shows keys of every pattern, however many come before them", async () => {
    const { stdout } = await cli("purge", "--match", "*")
    for (const record of ["dish", "cart", "role", "category"])
      expect(stdout).toMatch(new RegExp(`UNLINK ${record}:\\d+\n[^]*… and \\d more of ${record}:\\{id\\}`))
  }, 30_000)

  it("a plan shows a key that no pattern owns and that is there, whatever comes before it", async () => {
    await server.driver.send(["SET", "other-app:1", "precious"])
    await cli("repair", "--delete", "unknown", "--out", "unknown.json")
    const plan = JSON.parse(readFileSync(join(folder, "unknown.json"), "utf8")) as { actions: object[] }
    const junk = (pattern: string, key: string) => ({
      ...{ code: "KEY.UNKNOWN", db: 0, pattern, key, why: "x", undo: [] },
      ...{ expects: [{ read: ["TYPE", key], is: "string" }], commands: [["UNLINK", key]] },
    })
    for (const many of [
      Array.from({ length: 9 }, (_, i) => junk("junk:{number}", `junk:${i}`)),
      Array.from({ length: 99 }, (_, i) => {
        const word = [...String(i)].map((digit) => "abcdefghij"[Number(digit)]).join("")
        return junk(`${word}:junk`, `${word}:junk`)
      }),
    ]) {
      writeFileSync(join(folder, "hidden.json"), JSON.stringify({ ...plan, actions: [...many, ...plan.actions] }))
      rmSync(join(folder, "hidden.json.journal"), { force: true })
      await server.driver.send(["SET", "other-app:1", "precious"])
      const applied = await cli("repair", "--apply", "hidden.json")
      expect(applied.stderr).toContain("UNLINK other-app:1")
      expect(applied.stderr).toMatch(/… and \d+ more of (junk:\{number\}|other patterns)/)
      expect(applied.stdout).toContain(`1 of ${many.length + 1} done`)
    }
  }, 30_000)

  it("a plan changes nothing that the config accepts, and what was done can be undone", async () => {
    const config = (accept: string) => `import { keyspace, string, text } from "keywright"
      export default { keyspace: keyspace({ a: string("a:{id}", text) }, { ttl: "never" }), ${accept} }`
    writeFileSync(join(folder, "strict.config.ts"), config(""))
    writeFileSync(join(folder, "lax.config.ts"), config(`accept: ({ key }) => key.startsWith("other-app:")`))
    const by = (name: string, ...args: string[]) =>
      runCli([...args, "--config", name, "--url", server.redis.url], { cwd: folder })
    await server.driver.send(["FLUSHALL"])
    await server.driver.send(["SET", "other-app:1", "precious"])
    expect((await by("strict.config.ts", "repair", "--delete", "unknown", "--out", "lax.json")).code).toBe(1)
    const refused = await by("lax.config.ts", "repair", "--apply", "lax.json")
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("changes what the config accepts")])
    expect((await by("strict.config.ts", "repair", "--apply", "lax.json")).code).toBe(0)
    expect(await server.driver.send(["EXISTS", "other-app:1"])).toBe(0)
    expect((await by("lax.config.ts", "repair", "--undo", "lax.json")).code).toBe(0)
    expect(await server.driver.send(["GET", "other-app:1"])).toBe("precious")
  }, 30_000)

  it("import rebuilds nothing that the config accepts", async () => {
    writeFileSync(
      join(folder, "list.config.ts"),
      `import { entity, keyspace, text } from "keywright"
      const user = entity("user:{id}", { id: text }, { all: "user:list" })
      export default { keyspace: keyspace({ user }, { ttl: "never" }), accept: ({ code }) => code === "LIST.DANGLING" }`,
    )
    const by = (...args: string[]) =>
      runCli([...args, "--config", "list.config.ts", "--url", server.redis.url], { cwd: folder })
    await server.driver.send(["FLUSHALL"])
    await server.driver.send(["HSET", "user:1", "id", "1"])
    expect((await by("export", "--out", "user.ndjson")).code).toBe(0)
    await server.driver.send(["SADD", "user:list", "ghost"])
    const imported = await by("import", "user.ndjson", "--json")
    expect(JSON.parse(imported.stdout)).toMatchObject({ rebuilt: { fixed: { "LIST.MISSING": 1 }, findings: {} } })
    expect(await server.driver.send(["SMISMEMBER", "user:list", "1", "ghost"])).toEqual([1, 1])
  }, 30_000)

  it("purge deletes what no pattern owns, and neither it nor its undo shows the values", async () => {
    await server.driver.send(["SET", "lock:1", CANARY])
    const purged = await cli("purge", "--unknown", "--keep-undo", "--apply", "--out", "unknown.json")
    expect(purged.code).toBe(0)
    expect(await server.driver.send(["EXISTS", "lock:1"])).toBe(0)
    const undone = await cli("purge", "--undo", "unknown.json")
    expect(await server.driver.send(["GET", "lock:1"])).toBe(CANARY)
    expect(undone.stderr).toContain("RESTORE lock:1 0 … REPLACE ABSTTL")
    for (const { stdout, stderr } of [purged, undone]) expect(stdout + stderr).not.toContain(CANARY)
    expect((await cli("purge")).code).toBe(2)
  }, 30_000)

  it("export and import make a round trip, and print no secret", async () => {
    const public_ = await cli("export")
    expect(public_.code, public_.stderr).toBe(0)
    expect(public_.stdout + public_.stderr).not.toContain(CANARY)
    expect((await cli("export", "--out", "all.ndjson", "--secrets", "--json")).code).toBe(0)
    await server.driver.send(["FLUSHALL"])
    const imported = await cli("import", "all.ndjson", "--json")
    expect(imported.code, imported.stdout).toBe(0)
    expect(JSON.parse(imported.stdout)).toMatchObject({ skipped: 0, different: 0, rebuilt: { findings: {} } })
    const lines = readFileSync(join(folder, "all.ndjson"), "utf8").trimEnd().split("\n")
    expect(await server.driver.send(["DBSIZE"])).toBe(lines.length - 2)
    expect((await cli("import", "schema.json")).code).toBe(2)
  }, 30_000)

  it.each<[string, string[], number, string, string]>([
    ["the first, and says so", [], 4, "1 left as they are: the export has an earlier line", "first"],
    ["the first", ["--mode", "skip"], 0, "1 left as they are", "first"],
    ["the last", ["--mode", "overwrite"], 4, "or the export has a later line", "last"],
  ])(
    "of two values of one key, import writes %s",
    async (_, mode, code, told, value) => {
      const lines = ["first", "last"].map((one) => signed({ db: 0, key: "other:1", type: "string", value: one }))
      writeFileSync(join(folder, "twice.ndjson"), exportOf(lines.map((line) => JSON.stringify(line))))
      const imported = await cli("import", "twice.ndjson", "--foreign", "--no-rebuild", ...mode)
      expect([imported.code, await server.driver.send(["GET", "other:1"])]).toEqual([code, value])
      expect(imported.stdout).toContain(told)
    },
    30_000,
  )

  it("export reads an RDB file as it reads the server", async () => {
    await server.driver.send(["SAVE"])
    await cli("export", "--out", "live.ndjson", "--secrets")
    const words = ["export", "--rdb", join(server.redis.directory, "dump.rdb"), "--out", "rdb.ndjson", "--secrets"]
    const rdb = await runCli([...words, "--schema", schema], { cwd: folder })
    expect(rdb.code, rdb.stderr).toBe(0)
    const closing = (file: string) =>
      (JSON.parse(readFileSync(join(folder, file), "utf8").trimEnd().split("\n").at(-1)!) as { patterns: object })
        .patterns
    expect(closing("rdb.ndjson")).toEqual(closing("live.ndjson"))
  }, 30_000)
})
