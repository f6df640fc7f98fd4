import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Count, missing, unstable } from "../scripts/closing-lines.mjs"
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

  const module = (moduleId: string, states: string[], errors: unknown[] = []) => ({
    moduleId,
    errors: () => errors,
    children: { allSuites: () => [], allTests: () => states.map((state) => ({ result: () => ({ state }) })) },
  })

  it("count a file that cannot be loaded as a failure", () => {
    const count = new Count()
    const broken = module("b.test.ts", [], [new Error("no such file")])
    count.onTestRunEnd([module("a.test.ts", ["passed", "passed", "skipped"]), broken], [])
    expect(String(count)).toBe("2 passed, 1 failed, 1 skipped")
    expect(count.failedFiles()).toEqual(["b.test.ts"])
  })

  it("count an error outside of any test for the file that was running", () => {
    const count = new Count()
    count.onTestRunEnd([module("a.test.ts", ["passed"])], [{ VITEST_TEST_PATH: "a.test.ts" }, {}])
    expect(String(count)).toBe("1 passed, 2 failed, 0 skipped")
    expect(count.failedFiles()).toEqual(["a.test.ts", ""])
  })

  it("count a file that is run again as it came out the last time, and name it", () => {
    const count = new Count()
    count.onTestRunEnd([module("a.test.ts", ["passed"]), module("b.test.ts", ["passed", "failed"])], [])
    expect(count.failedFiles()).toEqual(["b.test.ts"])
    count.onTestRunEnd([module("b.test.ts", ["passed", "passed"])], [])
    expect(String(count)).toBe("3 passed, 0 failed, 0 skipped")
    expect(count.failedFiles()).toEqual([])
    expect(unstable(["b.test.ts"])).toContain("UNSTABLE")
    expect(unstable([])).toBe("")
  })
})
