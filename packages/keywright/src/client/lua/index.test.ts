import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { embedLua } from "../../../../../scripts/embed-lua.mjs"
import * as scripts from "./index.ts"

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8")
const constantsIn = (module: string) => [...module.matchAll(/export const (\w+)/g)].map(([, name]) => name)

it("holds the scripts beside it as they are now; if not, run `node scripts/embed-lua.mjs`", async () => {
  for (const { name, source } of Object.values(scripts)) expect(source, name).toBe(read(`${name}.lua`))
  expect(constantsIn(read("index.ts"))).toEqual(constantsIn(await embedLua()))
})
