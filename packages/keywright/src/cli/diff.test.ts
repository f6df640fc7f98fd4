/* keywright diff as its users have it: a repository with a schema that changes. */

import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { startRedis, type RealRedis } from "../../../../test/real-redis.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { freshBundle, root, runCli } from "./run-cli.cases.ts"

const schema = (
  status: string,
  ttl: string,
  pattern: string,
) => `import { json, keyspace, set, string, text } from "keywright"
import * as z from "zod"
import { Order } from "./documents.ts"

export const shop = keyspace({
  order: string("order:{id}", json(Order), { ttl: "never" }),
  page: string("cache:{hash}", text, { ttl: "${ttl}" }),
  seen: set("${pattern}", text, { ttl: "never" }),
}, { name: "shop" })
// ${status}
`
const documents = (status: string) => `import * as z from "zod"
export const Order = z.object({ status: z.enum([${status}]) })
`

/** Each test starts several programs. */
const patience = { timeout: 120_000 }

let folder: string
const git = (...words: string[]) => execFileSync("git", ["-C", folder, ...words], { stdio: "pipe" })
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const diff = (...words: string[]) => runCli(["diff", ...words], { cwd: folder })

beforeAll(async () => {
  await freshBundle()
  folder = mkdtempSync(join(tmpdir(), "keywright-diff-test-"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  write(".gitignore", "node_modules\n")
  write("keywright.config.ts", `import { shop } from "./schema.ts"\nexport default { keyspace: shop }\n`)
  write("schema.ts", schema("one", "30d", "seen:{id}"))
  write("documents.ts", documents('"new", "paid", "sent"'))
  git("init", "-q")
  git("add", "-A")
  git("-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qm", "one")
  write("schema.ts", schema("two", "7d", "viewed:{id}"))
  write("documents.ts", documents('"new", "paid"'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const changed = [
  {
    code: "ENUM.REMOVED",
    path: "order.status",
    level: "breaks-writers",
    oldReader: "works",
    newReader: "fails",
    oldWriter: "fails",
    newWriter: "fails",
    data: "rewrite",
    order: "writers first",
  },
  {
    code: "TTL.SHORTENED",
    path: "page",
    level: "silent",
    oldReader: "silent",
    newReader: "works",
    oldWriter: "silent",
    newWriter: "works",
    data: "expire",
    order: "readers first",
  },
  {
    code: "PATTERN.MOVED",
    path: "seen",
    level: "silent",
    oldReader: "silent",
    newReader: "silent",
    oldWriter: "silent",
    newWriter: "silent",
    data: "move",
    order: "all at once",
  },
]

describe("keywright diff", patience, () => {
  test("compares revisions, files, configs and JSON forms alike, and prints exactly what is promised", async () => {
    const calls = [
      ["git:HEAD:schema.ts", "schema.ts", "--json"],
      ["HEAD:schema.ts", "schema.ts", "--json"],
      ["git:HEAD", "--json"],
      ["HEAD", ".", "--json"],
      ["--json"],
    ]
    for (const ran of await Promise.all(calls.map((words) => diff(...words)))) {
      expect(ran.stderr).toBe("")
      expect(JSON.parse(ran.stdout)).toEqual({ changes: changed })
      expect(ran.code).toBe(1)
    }
  })

  test("text, Markdown, SARIF and annotations say who breaks, what to do, and where", async () => {
    const [text, markdown, sarif, github] = await Promise.all([
      diff(),
      diff("HEAD", "--format", "markdown"),
      diff("HEAD", "--format", "sarif"),
      diff("HEAD", "--format", "github"),
    ])
    expect(text.stdout).toContain("new readers, old writers and new writers fail; old readers work")
    expect(text.stdout).toContain("3 changes; together they are as bad as the worst of them")
    expect(markdown.stdout).toContain("**Deploy all at once")
    expect(markdown.stdout).toContain("| `order.status` | ✓ | ✗ fails | ✗ fails | ✗ fails | writers first |")
    expect(markdown.stdout).toContain("keywright repair")
    const results = JSON.parse(sarif.stdout).runs[0].results
    expect(results.map((one: { ruleId: string }) => one.ruleId)).toEqual(changed.map(({ code }) => code))
    expect(results[1].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "schema.ts" },
      region: { startLine: 7 },
    })
    expect(github.stdout).toContain("::error file=schema.ts,line=8,title=PATTERN.MOVED::")
  })

  test("what an old schema imports is not taken from where everybody can put packages", async () => {
    const shared = mkdtempSync(join(tmpdir(), "keywright-shared-"))
    const clone = join(shared, "own", "clone")
    const strange = join(shared, "tmp", "node_modules", "gone")
    try {
      mkdirSync(strange, { recursive: true })
      writeFileSync(join(strange, "package.json"), '{"name":"gone","type":"module","exports":"./index.js"}')
      writeFileSync(join(strange, "index.js"), 'console.error("strange code ran")\nexport const ttl = "30d"\n')
      execFileSync("git", ["clone", "-q", folder, clone])
      const inClone = (...words: string[]) =>
        execFileSync("git", ["-C", clone, "-c", "user.email=a@example.com", "-c", "user.name=a", ...words])
      symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
      const now = schema("one", "30d", "seen:{id}")
      const before = now.replace('"30d"', "ttl").replace("import", 'import { ttl } from "gone"\nimport')
      writeFileSync(join(clone, "schema.ts"), before)
      inClone("commit", "-qam", "imports a package")
      writeFileSync(join(clone, "schema.ts"), now)
      inClone("commit", "-qam", "imports it no more")
      const environment = { TMPDIR: join(shared, "tmp"), TEMP: join(shared, "tmp") }
      for (const words of [
        ["diff", "HEAD~1"],
        ["docs", "--changelog"],
      ]) {
        const ran = await runCli(words, { cwd: clone, env: environment })
        expect(`${ran.stdout}${ran.stderr}`).not.toContain("strange code ran")
      }
      expect(readdirSync(join(clone, ".git")).filter((name) => name.startsWith("keywright"))).toEqual([])
    } finally {
      rmSync(shared, { recursive: true })
    }
  })

  test("docs print what became of the schema, from the history of git", async () => {
    git("stash", "-q")
    git("stash", "apply", "-q")
    git("-c", "user.email=a@example.com", "-c", "user.name=a", "commit", "-qam", "shorter")
    const { stdout } = await runCli(["docs", "--changelog"], { cwd: folder })
    git("reset", "-q", "--soft", "HEAD~1")
    git("reset", "-q")
    git("stash", "drop", "-q")
    expect(stdout).toContain("shorter")
    expect(stdout).toContain("- `TTL.SHORTENED` `page`: keys expire sooner (`30d → 7d`) · **silent**, readers first")
    expect(stdout).toContain("The schema begins here.")
  })

  test("exit codes follow the level, or the way that is to be kept", async () => {
    const form = (ttl: string) => ({
      version: 1,
      entries: { x: { kind: "string", pattern: "x", shape: { value: { codec: "text" } }, ttl } },
    })
    write("a.json", JSON.stringify(form("1h")))
    write("b.json", JSON.stringify(form("1d")))
    write("c.json", JSON.stringify({ ...form("1h"), doc: "Words." }))
    const codes = async (...calls: string[][]) =>
      (await Promise.all(calls.map((words) => diff(...words)))).map(({ code }) => code)
    expect(
      await codes(
        ["a.json", "c.json"],
        ["a.json", "b.json"],
        ["a.json", "b.json", "--fail-on", "never"],
        ["a.json", "b.json", "--fail-on", "silent"],
        ["a.json", "b.json", "--compatible", "forward"],
        ["a.json", "b.json", "--compatible", "backward"],
        ["b.json", "a.json", "--compatible", "backward"],
      ),
    ).toEqual([0, 1, 0, 1, 0, 1, 0])
  })

  test("bad input is a clear error, exit 2", async () => {
    write("broken.ts", "export const x = 1 +")
    write(
      "twice.json",
      `{ "version": 1, "entries": { "x": { "kind": "string", "pattern": "x", "shape": { "value": { "codec": "text" } } }, "y": { "kind": "string", "pattern": "x", "shape": { "value": { "codec": "text" } } } } }`,
    )
    write("again.json", `{ "version": 1, "entries": { "x": {}, "x": {} } }`)
    write("future.json", `{ "version": 2, "entries": {} }`)
    const calls: [code: string, words: string[]][] = [
      ["DIFF.NO_REVISION", ["git:nowhere:schema.ts", "schema.ts"]],
      ["DIFF.NOT_IN_REVISION", ["HEAD:other.ts", "schema.ts"]],
      ["CLI.FILE_MISSING", ["nothing.ts", "schema.ts"]],
      ["CLI.SCHEMA_BROKEN", ["HEAD", "broken.ts"]],
      ["KEYSPACE.AMBIGUOUS", ["HEAD", "twice.json"]],
      ["JSON_FORM.VERSION", ["future.json", "schema.ts"]],
      ["JSON_FORM.TWICE", ["HEAD", "again.json"]],
      ["DIFF.RENAME", ["HEAD", "--rename", "cart"]],
      ["DIFF.RENAME", ["HEAD", "--rename", "nothing=page"]],
      ["DIFF.RENAME", ["HEAD", "--rename", "cart=nothing"]],
      ["CLI.USAGE", ["http://localhost", "schema.ts"]],
      ["CLI.USAGE", ["HEAD", "--fail-on", "sometimes"]],
    ]
    const ran = await Promise.all(calls.map(([, words]) => diff(...words)))
    expect(ran.map(({ code, stderr }) => [code, stderr.split(" ")[0]])).toEqual(calls.map(([code]) => [2, code]))
    const outside = await runCli(["diff", "git:HEAD:schema.ts", join(folder, "schema.ts")], { cwd: tmpdir() })
    expect([outside.code, outside.stderr.split(" ")[0]]).toEqual([2, "DIFF.NO_REPOSITORY"])
  })
})

describe.runIf(needs("redis-server"))("keywright diff with a server", patience, () => {
  let redis: RealRedis
  beforeAll(async () => {
    redis = await startRedis()
    const driver = openResp(redis.url)
    for (const status of ["new", "paid"]) await driver.send(["SET", `order:${status}`, JSON.stringify({ status })])
    await driver.close()
  })
  afterAll(() => redis.stop())

  test("a value that nobody stores is harmless to remove; one that is stored is counted", async () => {
    const before = await diff("HEAD", "--json", "--url", redis.url)
    expect(JSON.parse(before.stdout).changes[0]).toEqual({
      ...changed[0],
      level: "harmless",
      newReader: "works",
      oldWriter: "works",
      newWriter: "works",
      data: "nothing",
      order: "any",
      keys: 2,
      fits: true,
    })
    const driver = openResp(redis.url)
    await driver.send(["SET", "order:3", '{"status":"sent"}'])
    await driver.close()
    const after = await diff("HEAD", "--json", "--url", redis.url)
    expect(JSON.parse(after.stdout).changes[0]).toEqual({ ...changed[0], keys: 3, fits: false })
  })

  test("a server is what was recorded there; else what is inferred; never another schema's", async () => {
    const inferred = await diff(redis.url, "schema.ts", "--json")
    expect(inferred.stderr).toContain("it is inferred from the keys")
    expect(JSON.parse(inferred.stdout).changes).toBeInstanceOf(Array)
    git("stash", "-q")
    const recorded = await runCli(["record", "--url", redis.url], { cwd: folder })
    git("stash", "pop", "-q")
    expect(recorded.code).toBe(0)
    expect(JSON.parse((await diff(redis.url, "schema.ts", "--json")).stdout)).toEqual({ changes: changed })
    write("other.json", `{ "version": 1, "name": "bank", "entries": {} }`)
    const other = await diff(redis.url, "other.json")
    expect([other.code, other.stderr.includes("DIFF.OTHER_SCHEMA")]).toEqual([2, true])
  })
})
