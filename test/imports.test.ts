import { expect, it } from "vitest"
import { importsOf } from "./imports.ts"

const specifiers = (source: string) => importsOf(source).map((one) => one.specifier)

it("reads every form of import", () => {
  const source = `
import { readFile } from "node:fs/promises"
import keywright, { type Key } from 'keywright'
import * as all from "./all.ts"
import "./effect.ts"
export { one } from "./one.ts"
export * from "./many.ts"
import {
  several,
  lines,
} from "./lines.ts"
const lazy = await import("./lazy.ts")`
  expect(specifiers(source)).toEqual([
    "node:fs/promises",
    "keywright",
    "./all.ts",
    "./effect.ts",
    "./one.ts",
    "./many.ts",
    "./lines.ts",
    "./lazy.ts",
  ])
})

it("tells types and lazy imports apart", () => {
  expect(importsOf(`import type { A } from "./a.ts"`)).toEqual([{ specifier: "./a.ts", typesOnly: true, lazy: false }])
  expect(importsOf(`export type { A } from "./a.ts"`)).toMatchObject([{ typesOnly: true }])
  expect(importsOf(`import { type A } from "./a.ts"`)).toMatchObject([{ typesOnly: false }])
  expect(importsOf(`const a = import("./a.ts")`)).toEqual([{ specifier: "./a.ts", typesOnly: false, lazy: true }])
  expect(importsOf(`let a: typeof import("./a.ts")`)).toMatchObject([{ typesOnly: true, lazy: true }])
})

it("does not take comments, strings and templates for imports", () => {
  const source = `
// import { a } from "./a.ts"
/* import { b } from "./b.ts"
 * import("./c.ts") */
const text = "import('./d.ts')"
const template = \`
import { e } from "./e.ts"\`
export const from = "./f.ts"
export function f() { return "./g.ts" }`
  expect(specifiers(source).filter((one) => one !== "./d.ts")).toEqual([])
})
