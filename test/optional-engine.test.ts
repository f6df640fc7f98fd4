/* keywright without its optional dependency, as after npm install --omit=optional: a
 * program with an address never misses it, one without gets an error that says how to add
 * it. */

import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "./needs.ts"
import { startRedis } from "./real-redis.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const run = promisify(execFile)

describe("keywright installed without optional dependencies", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "keywright-omit-"))
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(path.join(root, "packages/keywright/package.json"), "utf8"),
  ) as { dependencies: Record<string, string>; optionalDependencies: Record<string, string> }

  beforeAll(() => {
    const installed = path.join(folder, "node_modules/keywright")
    mkdirSync(installed, { recursive: true })
    cpSync(path.join(root, "packages/keywright/dist"), path.join(installed, "dist"), { recursive: true })
    cpSync(path.join(root, "packages/keywright/package.json"), path.join(installed, "package.json"))
    for (const name of Object.keys(dependencies)) {
      const link = path.join(folder, "node_modules", name)
      mkdirSync(path.dirname(link), { recursive: true })
      symlinkSync(path.join(root, "node_modules", name), link)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const program = async (target: string, env: Record<string, string> = {}) => {
    const file = path.join(folder, "program.mjs")
    writeFileSync(
      file,
      `import { connect, counter, keyspace } from "keywright"
       try {
         const db = await connect(keyspace({ hits: counter("hits") })${target})
         console.log(await db.hits().increment())
         await db.$close()
       } catch (error) {
         console.log(error.code, error.fix)
       }`,
    )
    const { stdout } = await run(process.execPath, [file], { cwd: folder, env: { PATH: "/nowhere", ...env } })
    return stdout.trim()
  }

  it("is what --omit=optional leaves", () => {
    expect(Object.keys(optionalDependencies)).toEqual(["@keywright/embedded"])
    expect(Object.keys(dependencies)).not.toContain("@keywright/embedded")
  })

  it.each([
    ["", "no address"],
    [', "memory:"', "memory:"],
    [', "local:"', "local: and no server on the machine"],
  ])("says how to add the engine with %s", async (target) => {
    expect(await program(target)).toMatch(/^DRIVER\.EMBEDDED Run `npm install @keywright\/embedded`/)
  })

  it.runIf(needs("redis-server"))("works with an address, and with local: and a server on the machine", async () => {
    const redis = await startRedis()
    expect(await program("", { REDIS_URL: redis.url })).toBe("1")
    await redis.stop()
    expect(await program(', "local:"', { PATH: process.env["PATH"] ?? "" })).toBe("1")
  })
})
