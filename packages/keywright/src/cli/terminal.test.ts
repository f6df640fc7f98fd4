/* What is hostile to a terminal, in every place that a command prints: keys, fields,
 * members, values, errors of a server, names of files, texts of a schema. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { needs } from "../../../../test/needs.ts"
import type { Command } from "../driver/driver.ts"
import { int } from "../schema/codec/number.ts"
import { text } from "../schema/codec/text.ts"
import { map, set, string } from "../schema/define.ts"
import { toJson } from "../schema/json/to-json.ts"
import { keyspace } from "../schema/keyspace.ts"
import { commands } from "./commands.ts"
import { freshBundle, type Ran, type RunOptions, runCli } from "./run-cli.cases.ts"
import { redisForSuite } from "../driver/redis-for-suite.cases.ts"

/** Clears the screen, sets the title, goes back to the line's beginning, writes another line, turns around, hides. */
const HOSTILE = "\u001b[2J\u001b]0;owned\u0007\r\n::error::forged\u009b31m\u202egnp\u2066\u200b\ufeff\u007f"
const ACTING = /(?![\n\t])\p{Cc}|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u
/** Our own colours. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g")

const schema = keyspace(
  {
    note: string("note:{id}", text, { doc: `Notes ${HOSTILE}` }),
    tags: set("tags:{id}", int),
    state: map("state:{id}", text, int),
  },
  { name: `shop ${HOSTILE}`, ttl: "never" },
)

const writes: readonly Command[] = [
  ["SET", "note:1", `value ${HOSTILE}`],
  ["SET", `unknown:${HOSTILE}`, "x"],
  ["SET", `note:a${HOSTILE}`, "x"],
  ["SADD", "tags:1", `7${HOSTILE}`],
  ["HSET", "state:1", `field ${HOSTILE}`, `value ${HOSTILE}`],
  ["HSET", "::add-mask::x", "a", "b"],
  ["SET", Buffer.from([0x1b, 0x5b, 0x33, 0x31, 0x6d, 0xff, 0x9b]), "bytes"],
]

describe.runIf(needs("redis-server"))("no command gives a terminal anything but text", () => {
  const folder = mkdtempSync(join(tmpdir(), "keywright-terminal-"))
  const file = join(folder, "schema.json")
  const suite = redisForSuite()
  let broken: Server
  let brokenUrl = ""
  const seen = new Set<string>()

  beforeAll(async () => {
    await freshBundle()
    for (const reply of await suite.driver.batch(writes)) if (reply instanceof Error) throw reply
    writeFileSync(file, JSON.stringify(toJson(schema as never)))
    await suite.driver.send(["SAVE"])
    writeFileSync(join(folder, "dump.rdb"), readFileSync(join(suite.redis.directory, "dump.rdb")))
    // A server whose every answer is an error with its own text.
    broken = createServer((socket) => {
      socket.on("data", () => socket.write(`-ERR no ${HOSTILE.replaceAll(/[\r\n]/g, "")}\r\n`.repeat(8)))
      socket.on("error", () => socket.destroy())
    })
    await new Promise<void>((resolve) => broken.listen(0, "127.0.0.1", resolve))
    brokenUrl = `redis://127.0.0.1:${(broken.address() as { port: number }).port}`
  }, 60_000)
  afterAll(async () => {
    broken?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const at = () => ["--schema", file, "--url", suite.redis.url]
  const run = async (args: readonly string[], options: RunOptions = {}): Promise<Ran> => {
    seen.add(args[0]!)
    return runCli(args, { cwd: folder, ...options })
  }
  const expectText = ({ stdout, stderr }: Ran) => {
    for (const text of [stdout, stderr].map((one) => one.replace(COLOURS, ""))) {
      expect(ACTING.exec(text)?.[0].codePointAt(0)?.toString(16), text.slice(0, 2000)).toBeUndefined()
      expect(text).not.toMatch(/^\s*::error::forged/m)
    }
  }
  /** With colours, and nothing is left of the data's own escape sequences; in a full run also without, and with --json. */
  const expectAll = async (...args: string[]) => {
    const coloured = await run(args, { env: { FORCE_COLOR: "1" } })
    expectText(coloured)
    expect(coloured.stdout + coloured.stderr).not.toContain("\u001b[2J")
    expect(coloured.stderr).not.toContain("CLI.UNEXPECTED")
    if (isFull) for (const more of [[], ["--json"]]) expectText(await run([...args, ...more]))
    return coloured
  }

  it("look: audit, stats, inspect, get, ls, doctor, check, top", async () => {
    expect((await expectAll("audit", ...at())).stdout).toContain("KEY.UNKNOWN")
    if (isFull) expectText(await run(["audit", "--json", ...at()]))
    await expectAll("stats", "--all", ...at())
    if (isFull) await expectAll("inspect", "note:1", ...at())
    await expectAll("inspect", `unknown:${HOSTILE}`, ...at())
    await expectAll("inspect", "state:1", ...at())
    await expectAll("get", "note", "id=1", ...at())
    await expectAll("ls", "note", ...at())
    await expectAll("doctor", ...at())
    await expectAll("check", "--schema", file)
    await expectAll("top", "--count", "1", "--interval", "0.3", ...at())
  }, 120_000)

  it("look at a file", async () => {
    await expectAll("audit", "--schema", file, "--rdb", "dump.rdb")
    if (isFull) await expectAll("infer", "dump.rdb")
  }, 60_000)

  it("change: repair, purge, export, import, backup, copy", async () => {
    await expectAll("repair", "--delete", "unknown,broken", "--out", `plan ${HOSTILE}.json`, ...at())
    await expectAll("repair", "--apply", `plan ${HOSTILE}.json`, "--yes", ...at())
    await expectAll("repair", "--undo", `plan ${HOSTILE}.json`, ...at())
    await expectAll("purge", "--unknown", "--out", "purge.json", ...at())
    if (isFull) await expectAll("export", ...at())
    await expectAll("export", "--out", "all.ndjson", "--secrets", ...at())
    for (const written of ["purge.json", "all.ndjson"])
      expectText({ stdout: readFileSync(join(folder, written), "utf8"), stderr: "" } as Ran)
    await expectAll("import", "all.ndjson", "--mode", "skip", "--foreign", ...at())
    await expectAll("backup", "--url", suite.redis.url)
    await expectAll("copy", "--schema", file, "--from", suite.redis.url, "--to", `${suite.redis.url}/7`, "--foreign")
  }, 120_000)

  it("versions: diff, record", async () => {
    const changed = structuredClone(toJson(schema as never)) as { entries: Record<string, { ttl?: string }> }
    changed.entries["note"]!.ttl = "1h"
    writeFileSync(join(folder, `new ${HOSTILE}.json`), JSON.stringify(changed))
    const ran = await expectAll("diff", file, `new ${HOSTILE}.json`)
    expect(ran.stdout).toContain("TTL.")
    for (const format of isFull ? ["markdown", "github", "sarif"] : ["github"])
      expectText(await run(["diff", file, `new ${HOSTILE}.json`, "--format", format]))
    await expectAll("record", ...at())
  }, 60_000)

  it("write: infer, init, docs, completion, studio", async () => {
    await expectAll("infer", suite.redis.url)
    expectText(await run(["init", suite.redis.url], { cwd: mkdtempSync(join(folder, "init-")) }))
    for (const format of isFull ? ["markdown", "html"] : ["markdown"])
      expectText(await run(["docs", "--schema", file, "--format", format], { env: { GITHUB_ACTIONS: "true" } }))
    if (isFull) expectText(await run(["docs", "--schema", file, "--out", `out ${HOSTILE}`]))
    expectText(await run(["completion", "bash"]))
    expectText(await run(["studio", ...at(), "--port", "70000"]))
  }, 120_000)

  it("annotations and SARIF", async () => {
    for (const format of ["github", "sarif"])
      for (const command of isFull ? ["audit", "check"] : ["audit"]) {
        const ran = await run([command, ...(command === "audit" ? at() : ["--schema", file]), "--format", format])
        expectText(ran)
        if (format === "sarif") expect(JSON.parse(ran.stdout)).toHaveProperty("runs")
        else
          for (const line of ran.stdout.trimEnd().split("\n"))
            expect(line).toMatch(/^(?:::(?:error|warning|notice) |$)/)
      }
  }, 60_000)

  it("errors: of a server, of a call, of a file", async () => {
    for (const command of isFull ? ["audit", "stats", "doctor", "repair", "export"] : ["audit"])
      await expectAll(command, "--schema", file, "--url", brokenUrl, "--timeout", "1")
    await expectAll("inspect", "x", "--schema", `none ${HOSTILE}.json`, "--url", suite.redis.url)
    await expectAll("get", `no ${HOSTILE}`, ...at())
    await expectAll("audit", `--${HOSTILE}`)
    if (!isFull) return
    await expectAll("get", "note", `${HOSTILE}=1`, ...at())
    await expectAll("repair", "--apply", `none ${HOSTILE}`, ...at())
    await expectAll("audit", "--schema", file, "--url", `redis://h/${HOSTILE}`)
  }, 120_000)

  it("leaves JSON exact: what is escaped is the same text", async () => {
    const { stdout } = await run(["inspect", "note:1", "--json", ...at()])
    expect((JSON.parse(stdout) as { value: string }).value).toBe(`value ${HOSTILE}`)
    const lines = (await run(["export", ...at()])).stdout.trimEnd().split("\n")
    expect(lines.map((line) => (JSON.parse(line) as { value?: unknown }).value)).toContain(`value ${HOSTILE}`)
  }, 30_000)

  it("is not a workflow command where the log of a workflow is read", async () => {
    await suite.driver.send(["SET", "note:b", "x"])
    const ran = await run(["inspect", "::add-mask::x", ...at()], { env: { GITHUB_ACTIONS: "true" } })
    expect(ran.stdout).not.toMatch(/^\s*::/m)
    expect(ran.stdout).toContain("\\x3a:add-mask::x")
    const key = "note:###[add-mask]x"
    await suite.driver.send(["SET", key, "x"])
    const asJson = await run(["inspect", key, "--json", ...at()], { env: { GITHUB_ACTIONS: "true" } })
    expect(asJson.stdout).not.toContain("##[")
    expect(JSON.parse(asJson.stdout)).toMatchObject({ key })
  }, 30_000)

  it.each([
    ["TF_BUILD", "##vso[task.setvariable variable=PATH]x"],
    ["TEAMCITY_VERSION", "##teamcity[buildStatus status='SUCCESS']"],
  ])("nor one of other programs that read logs: %s", async (name, command) => {
    const key = `note:${command}`
    await suite.driver.send(["SET", key, "x"])
    const env = { [name]: "True" }
    expect((await run(["inspect", key, ...at()], { env })).stdout).toContain("#\\x23")
    const asJson = await run(["inspect", key, "--json", ...at()], { env })
    expect(asJson.stdout).not.toContain("##")
    expect(JSON.parse(asJson.stdout)).toMatchObject({ key })
  })

  it("and no command is left out", () => {
    expect(commands.filter(({ name }) => !seen.has(name)).map(({ name }) => name)).toEqual([])
  })
})
