import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Count, missing } from "../scripts/closing-lines.mjs"
import { needs, pathOf } from "./needs.ts"

describe("needs", () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "keywright-needs-"))
    vi.stubEnv("PATH", folder)
    vi.stubEnv("CI", "")
    vi.stubEnv("KEYWRIGHT_MISSING", join(folder, "missing.ndjson"))
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true, force: true })
  })

  it("notes which file skips tests for a missing program, and the closing lines say so", async () => {
    expect(needs("redis-server")).toBe(false)
    const loud = missing(await readFile(join(folder, "missing.ndjson"), "utf8"))
    expect(loud).toContain("redis-server is not installed")
    expect(loud).toContain("test/needs.test.ts")
    expect(loud).toContain("apt-get install redis-server")
  })

  it("throws under CI=true", () => {
    vi.stubEnv("CI", "true")
    expect(() => needs("chromium")).toThrow("chromium is missing, and CI skips nothing: apt-get install chromium")
  })

  it("finds a program in PATH", async () => {
    await writeFile(join(folder, "redis-server"), "", { mode: 0o755 })
    expect(pathOf("redis-server")).toBe(join(folder, "redis-server"))
    expect(needs("redis-server")).toBe(true)
  })
})

describe("the closing lines", () => {
  it("say nothing of programs when none was missing", () => {
    expect(missing("")).toBe("")
  })

  it("count a file that cannot be loaded as a failure", () => {
    const module = (states: string[], errors: unknown[]) => ({
      errors: () => errors,
      children: { allSuites: () => [], allTests: () => states.map((state) => ({ result: () => ({ state }) })) },
    })
    const count = new Count()
    count.onTestRunEnd([module(["passed", "passed", "skipped"], []), module([], [new Error("no such file")])], [])
    expect(String(count)).toBe("2 passed, 1 failed, 1 skipped")
  })
})
