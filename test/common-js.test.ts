import { describe, expect, it } from "vitest"
import { declarationsOf, requireOf } from "../scripts/common-js.mjs"
import { exportsOf } from "../scripts/docs/read-source.mjs"

describe("an entry point for programs in CommonJS", () => {
  it("is beside that for ES modules, for browsers too", () => {
    const entry = { types: "./dist/a/index.d.ts", browser: "./dist/b.js", default: "./dist/a.js" }
    expect(requireOf(entry)).toEqual({
      types: "./dist/a/index.d.cts",
      browser: "./dist/b.cjs",
      default: "./dist/a.cjs",
    })
  })

  it("declares types by name, values by their types, and classes as both", () => {
    const lines = declarationsOf(exportsOf("packages/embedded/src/index.ts"), "./index.js").trimEnd().split("\n")
    const module = 'import("./index.js", { with: { "resolution-mode": "import" } })'
    expect(lines).toEqual([
      'export type { StartOptions, Engine, ClockOptions, Channel, Duration, EngineErrorCode } from "./index.js" with { "resolution-mode": "import" }',
      `export declare const start: typeof ${module}.start`,
      `export declare const EngineError: typeof ${module}.EngineError`,
      `export type EngineError = ${module}.EngineError`,
    ])
  })

  it("keeps the parameters of a class that has some", () => {
    const declared = declarationsOf(exportsOf("packages/keywright/src/operate.ts"), "./operate.js")
    expect(declared).toMatch(/^export type UnknownPatterns<T> = import\(.*\)\.UnknownPatterns<T>$/m)
  })
})
