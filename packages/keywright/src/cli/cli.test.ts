/* What needs no server: help, usage, schemas that are missing or broken, check, docs. */

import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { commands } from "./commands.ts"
import { freshBundle, keywright, root, runCli } from "./run-cli.cases.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let folder: string
beforeAll(async () => {
  await freshBundle()
  folder = mkdtempSync(join(root, "packages/keywright/dist/cli-test-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A file in a folder from where "keywright" can be imported. */
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const errorOf = (stdout: string) =>
  (JSON.parse(stdout) as { error: { code: string; message: string; fix: string } }).error

describe("help", () => {
  it("lists every command, and the exit codes", async () => {
    const { code, stdout } = await keywright("--help")
    expect(code).toBe(0)
    for (const { name } of commands) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, "m"))
    expect(stdout).toContain("0 clean, 1 findings, 2 usage, 3 no connection, 4 partial")
  })

  it.each(commands.map(({ name }) => name))("of %s has examples", async (name) => {
    const { code, stdout } = await keywright(name, "--help")
    expect(code).toBe(0)
    expect(stdout).toContain("Examples:\n  $ ")
  })

  it("is printed when nothing was asked, which is not understood", async () => {
    const { code, stdout } = await runCli([], { alone: true })
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining("Usage: keywright") })
  })

  it("knows its version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "packages/keywright/package.json"), "utf8")) as {
      version: string
    }
    expect(await runCli(["--version"], { alone: true })).toMatchObject({ code: 0, stdout: `${version}\n` })
  })
})

describe("a call that is not understood exits with 2", () => {
  it.each([
    [["chekc"], "CLI.USAGE", "Did you mean check?"],
    [["check", "--jsno"], "CLI.USAGE", "Did you mean --json?"],
    [["check", "--format", "pdf"], "CLI.USAGE", "keywright check --help"],
    [["top", "--sample", "2"], "CLI.USAGE", "--sample 0.1"],
    [["audit", "--rate", "x"], "CLI.USAGE", "--rate 100"],
    [["audit", "--config", "systems/shop", "--db", "one", "--url", "redis://127.0.0.1:1"], "CLI.USAGE", "--db 0"],
    [["completion", "tcsh"], "CLI.USAGE", "bash, zsh or fish"],
    [["inspect"], "CLI.USAGE", "keywright inspect --help"],
    [["docs", "--config", "systems/shop", "--check"], "CLI.USAGE", "--out"],
    [["get", "rwo", "--config", "systems/shop"], "CLI.USAGE", "Use one of"],
    [["get", "stock.row", "--config", "systems/shop"], "CLI.USAGE", "row=…"],
    [
      ["get", "people.status", "project=456", "--config", "systems/messaging"],
      "CLI.USAGE",
      "keywright get people.status project=456",
    ],
    [["get", "stock.row", "id=7", "--config", "systems/shop"], "CLI.USAGE", "Its parameters are row"],
    [["check"], "CLI.CONFIG_MISSING", "--config"],
    [["check", "--config", "nowhere"], "CLI.FILE_MISSING", "path"],
    [["check", "--schema", "nowhere.ts"], "CLI.FILE_MISSING", "path"],
    [["check", "--config", "systems/shop", "--doc", "nowhere.md"], "CLI.FILE_MISSING", "path"],
    [["stats", "--config", "systems/shop", "--rdb", "nowhere.rdb"], "CLI.FILE_MISSING", "path"],
    [["audit", "--config", "systems/shop", "--rdb", "package.json"], "RDB.NOT_RDB", "dump.rdb"],
    [["audit", "--config", "systems/shop", "--rdb", "package.json", "--rate", "5"], "CLI.USAGE", "Leave one"],
    [["ls", "stock.row", "--config", "systems/shop", "--rdb", "a.rdb", "--url", "redis://x"], "CLI.USAGE", "Leave one"],
    [["audit", "dump.rdb", "--config", "systems/shop"], "CLI.USAGE", "--rdb dump.rdb?"],
    [["repair", "--config", "systems/shop", "--rdb", "dump.rdb"], "CLI.USAGE", "Start a server with the file"],
    [["purge", "row", "--config", "systems/shop", "--rdb", "dump.rdb"], "CLI.USAGE", "Start a server with the file"],
    [["audit", "--config", "systems/shop"], "CLI.SERVER_REQUIRED", "--url"],
    [["audit", "--config", "systems/shop", "--url", "memory:"], "CLI.SERVER_REQUIRED", "--url"],
    [["audit", "--config", "systems/shop", "--url", "http://x"], "DRIVER.ADDRESS", "redis://"],
  ])("%j", async (args, code, fix) => {
    const people = await keywright(...args)
    expect(people).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(code) })
    expect(people.stderr).toContain(fix)
    const programs = await keywright(...args, "--json")
    expect(programs.code).toBe(2)
    expect(errorOf(programs.stdout).code).toBe(code)
  })

  it("does not repeat the value of an option that does not exist", async () => {
    const { code, stderr } = await keywright("doctor", "--pass=Longsecret=9'x")
    expect(code).toBe(2)
    expect(stderr).toContain("unknown option '--pass'")
    expect(stderr).not.toContain("Longsecret")
  })
})

describe("a schema", () => {
  const schema = (body: string) => `import { keyspace, string, text } from "keywright"\n${body}`

  it("is found by its shape, in any export, or by name", async () => {
    const one = file(
      "one.ts",
      schema(
        'export const other = 1\nexport const mine = keyspace({ a: string("a", text, { doc: "A.", ttl: "never" }) }, { name: "mine" })',
      ),
    )
    expect(await keywright("check", "--schema", one)).toMatchObject({
      code: 0,
      stdout: "mine: 1 key pattern, no problems found\n",
    })
    const two = file(
      "two.ts",
      schema(
        'const make = (name: string) => keyspace({ a: string("a", text, { doc: "A.", ttl: "never" }) }, { name })\nexport const x = make("x"), y = make("y")',
      ),
    )
    expect(await keywright("check", "--schema", two)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--schema ${two.slice(root.length)}#x`),
    })
    expect(await keywright("check", "--schema", `${two}#y`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("y: 1"),
    })
    expect(await keywright("check", "--schema", `${two}#z`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("CLI.NO_KEYSPACE"),
    })
  })

  it("may be its JSON form, which says the same", async () => {
    const { toJson } = await import("../index.ts")
    const { shop } = await import("../../../../systems/shop/schema.ts")
    const form = file("shop.json", JSON.stringify(toJson(shop as never)))
    const [fromJson, fromSource] = await Promise.all([
      keywright("docs", "--schema", form),
      keywright("docs", "--config", "systems/shop"),
    ])
    expect(fromJson.code).toBe(0)
    expect(fromJson.stdout.split("\n").slice(0, 16)).toEqual(fromSource.stdout.split("\n").slice(0, 16))
  })

  it.each([
    ["throws", 'throw new Error("boom")', "CLI.SCHEMA_BROKEN", "boom"],
    ["does not parse", "export const = 1", "CLI.SCHEMA_BROKEN", ""],
    ["imports what is not there", 'import "./nowhere.ts"', "CLI.SCHEMA_BROKEN", "nowhere"],
    ["needs a package that is not there", 'import "no-such-zod"', "CLI.SCHEMA_BROKEN", "npm install no-such-zod"],
    ["exports none", "export const a = 1", "CLI.NO_KEYSPACE", "It exports a"],
    [
      "has a config with a setting that is unknown",
      "export default { keyspace: keyspace({}), color: 1 }",
      "CLI.CONFIG",
      "color",
    ],
    [
      "has a config with a wrong level",
      'export default { keyspace: keyspace({}), levels: { A: "loud" } }',
      "CLI.CONFIG",
      "loud|one of",
    ],
  ])("that %s is refused with a reason", async (name, body, code, reason) => {
    const path = file(`${name.replaceAll(" ", "-")}.ts`, schema(body))
    const { code: exit, stderr } = await keywright("docs", "--schema", path)
    expect(exit).toBe(2)
    expect(stderr).toContain(code)
    expect(stderr).toMatch(new RegExp(reason))
  })

  it.runIf(process.getuid?.() === 0)(
    "of another user, where everybody may put files, is not run before it is named",
    async () => {
      const shared = join(folder, "shared")
      const config = join(shared, "keywright.config.ts")
      mkdirSync(shared)
      writeFileSync(config, schema("export default keyspace({})"))
      chownSync(config, 65_534, 65_534)
      const docs = (...args: string[]) => runCli(["docs", ...args], { cwd: shared })
      expect((await docs()).code).toBe(0)
      chmodSync(shared, 0o1777)
      expect(await docs()).toMatchObject({ code: 2, stderr: expect.stringContaining("belongs to another user") })
      expect((await docs("--config", "keywright.config.ts")).code).toBe(0)
      chownSync(config, 0, 0)
      expect((await docs()).code).toBe(0)
    },
  )

  it("that is ambiguous is a finding: the two patterns, a key that shows it, and the line", async () => {
    const path = file(
      "ambiguous.ts",
      schema('export default keyspace({\n  a: string("x:{a}", text),\n  b: string("x:{b}", text),\n})'),
    )
    const { code, stdout } = await keywright("check", "--schema", path, "--json")
    expect(code).toBe(1)
    const { findings } = JSON.parse(stdout) as { findings: { code: string; message: string; at: { line: number } }[] }
    expect(findings).toMatchObject([
      { code: "KEYSPACE.AMBIGUOUS", message: expect.stringContaining('"x:{a}" and "x:{b}"'), at: { line: 3 } },
    ])
    expect((await keywright("docs", "--schema", path)).code).toBe(2)
  })
})

describe("check", () => {
  const weak = `import { keyspace, string, text } from "keywright"
export default { keyspace: keyspace({ resetToken: string("reset:{user}", text) }), levels: { "SCHEMA.UNDOCUMENTED": "off" } }`

  it("prints findings for people, programs, code hosts and pull requests, with their line", async () => {
    const path = file("weak.ts", weak)
    const [people, json, sarif, github] = await Promise.all([
      keywright("check", "--config", path),
      keywright("check", "--config", path, "--json"),
      keywright("check", "--config", path, "--format", "sarif"),
      keywright("check", "--config", path, "--format", "github"),
    ])
    for (const { code } of [people, json, sarif, github]) expect(code).toBe(1)
    expect(people.stdout).toContain("SCHEMA.SECRET_UNMARKED")
    expect(people.stdout).toContain("weak.ts:2")
    expect(JSON.parse(json.stdout)).toMatchObject({
      schemaVersion: 1,
      schema: { name: null, keys: 1 },
      summary: { "SCHEMA.TTL_UNDECIDED": 1, "SCHEMA.SECRET_UNMARKED": 1 },
    })
    const run = (JSON.parse(sarif.stdout) as { runs: { results: { ruleId: string; locations: unknown[] }[] }[] })
      .runs[0]
    expect(run?.results.map(({ ruleId }) => ruleId)).toEqual(["SCHEMA.TTL_UNDECIDED", "SCHEMA.SECRET_UNMARKED"])
    expect(run?.results[0]?.locations).toHaveLength(1)
    expect(github.stdout).toMatch(/^::warning file=.*weak\.ts,line=2,title=SCHEMA\.TTL_UNDECIDED::/)
  })

  it("says what is not in one slot of a cluster with --cluster, and nothing about clusters without", async () => {
    const path = file(
      "cluster.ts",
      `import { family, keyspace, scope, set, text } from "keywright"
const room = (prefix: string) => family(prefix, { ttl: "1d" }, { a: set(":a", text), b: set(":b", text) })
export default keyspace({ tagged: room("t:{{room}}"), apart: room("r:{room}") })`,
    )
    const check = (...more: string[]) => keywright("check", "-s", path, ...more)
    const [people, json, silent, accepted, unknown] = await Promise.all([
      check("--cluster"),
      check("--cluster", "--json"),
      check(),
      check("--cluster", "--accept-split", "apart", "--json"),
      check("--cluster", "--accept-split", "nobody"),
    ])
    expect(people).toMatchObject({ code: 1, stdout: expect.stringContaining("PLACEMENT.SPLIT") })
    expect(people.stdout).toContain("r:{{room}}:a, r:{{room}}:b")
    expect(people.stdout).toContain("1 of 2 entities, families, steps and invariants are in one slot")
    expect(people.stdout).toContain("✓ tagged  hash tag {room}")
    expect(people.stdout).toContain("✗ apart   refused: load, fill, write, delete")
    expect(silent.stdout).not.toMatch(/in a Redis Cluster|PLACEMENT/i)
    expect(JSON.parse(accepted.stdout).summary).not.toHaveProperty(["PLACEMENT.SPLIT"])
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("PLACEMENT.UNKNOWN_NAME") })
    expect(JSON.parse(json.stdout)).toMatchObject({
      summary: { "PLACEMENT.SPLIT": 1 },
      cluster: [
        { name: "tagged", atomic: true },
        { name: "apart", atomic: false },
      ],
    })
  })

  it("reads a page with --doc", async () => {
    const { code, stdout } = await keywright(
      "check",
      "--config",
      "systems/recommender",
      "--doc",
      "test/pages/recommender.md",
    )
    expect(code).toBe(1)
    expect(stdout).toContain(
      "r.get('rs_param', …) is a command for a string; rs_param is a hash  test/pages/recommender.md:6, also line 7",
    )
  })

  it("exits with 0 when there are only notes", async () => {
    expect(await keywright("check", "--config", "systems/carto")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 note"),
    })
  })
})

describe("docs", () => {
  it("writes both pages, and then finds them up to date until they are changed", async () => {
    const out = join(folder, "docs")
    const write = await keywright("docs", "--config", "systems/shop", "--out", out)
    expect(write.code).toBe(0)
    expect((await keywright("docs", "--config", "systems/shop", "--out", out, "--check")).code).toBe(0)
    writeFileSync(join(out, "shop.md"), "something else")
    const stale = await keywright("docs", "--config", "systems/shop", "--out", out, "--check", "--json")
    expect(stale.code).toBe(1)
    expect((JSON.parse(stale.stdout) as { files: { current: boolean }[] }).files.map(({ current }) => current)).toEqual(
      [false, true],
    )
    expect(readFileSync(join(out, "shop.md"), "utf8")).toBe("something else")
  })

  it("replaces the part between the markers of a file, and nothing else", async () => {
    const readme = file(
      "README.md",
      "# Mine\n\n<!-- keywright:begin -->\nOUTDATED\n<!-- keywright:end -->\n\nThe end.\n",
    )
    expect((await keywright("docs", "--config", "systems/shop", "--into", readme)).code).toBe(0)
    const text = readFileSync(readme, "utf8")
    expect(text).toMatch(/^# Mine\n\n<!-- keywright:begin -->\n\n## shop\n/)
    expect(text).toMatch(/<!-- keywright:end -->\n\nThe end\.\n$/)
    expect(text).not.toContain("OUTDATED")
    expect(
      await keywright("docs", "--config", "systems/shop", "--into", file("none.md", "# No markers")),
    ).toMatchObject({ code: 2 })
  })

  it.each(["markdown", "html", "mermaid", "svg"])("prints %s", async (format) => {
    const { code, stdout } = await keywright("docs", "--config", "systems/restaurant", "--format", format)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      { markdown: /^# restaurant/, html: /^<!doctype html>/, mermaid: /^erDiagram/, svg: /^<svg / }[format] as RegExp,
    )
  })
})

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("for %s knows every command and its options", async (shell) => {
    const { code, stdout } = await keywright("completion", shell)
    expect(code).toBe(0)
    for (const { name } of commands) expect(stdout).toContain(name)
    for (const option of ["config", "url", "resume"]) expect(stdout).toContain(option)
  })

  it("for bash completes commands and options", async () => {
    const { stdout } = await keywright("completion", "bash")
    const script = file(
      "completion.bash",
      `${stdout}
COMP_WORDS=(keywright do); COMP_CWORD=1; _keywright; echo "\${COMPREPLY[@]}"
COMP_WORDS=(keywright check --f); COMP_CWORD=2; _keywright; echo "\${COMPREPLY[@]}"
COMP_WORDS=(keywright check --format s); COMP_CWORD=3; _keywright; echo "\${COMPREPLY[@]}"`,
    )
    const { execFileSync } = await import("node:child_process")
    expect(execFileSync("bash", [script], { encoding: "utf8" })).toBe("docs doctor\n--format\nsarif\n")
  })
})

it("says which command it has no help for", async () => {
  const { stderr, code } = await runCli(["help", "nothing"])
  expect({ stderr, code }).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no command "nothing"') })
})

describe("colours", () => {
  const escape = "\u001b["
  it("are left out where nobody sees them, with NO_COLOR and with --no-color", async () => {
    const args = ["check", "--config", "systems/carto"]
    expect((await runCli(args)).stdout).not.toContain(escape)
    expect((await runCli(args, { env: { FORCE_COLOR: "1" } })).stdout).toContain(escape)
    expect((await runCli(args, { env: { FORCE_COLOR: "0" } })).stdout).not.toContain(escape)
    expect((await runCli(args, { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).stdout).not.toContain(escape)
    expect((await runCli([...args, "--no-color"], { env: { FORCE_COLOR: "1" } })).stdout).not.toContain(escape)
    expect((await runCli([...args, "--json"], { env: { FORCE_COLOR: "1" } })).stdout).not.toContain(escape)
  })
})

it("works in any folder that has a config, and writes nothing into it", async () => {
  const { stdout, code } = await runCli(["check"], { cwd: join(root, "systems/shop") })
  expect({ stdout, code }).toMatchObject({ code: 0, stdout: expect.stringContaining("shop") })
  expect(await runCli(["check"], { cwd: tmpdir() })).toMatchObject({ code: 2 })
})
