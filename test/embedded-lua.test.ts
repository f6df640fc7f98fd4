import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import * as changing from "../packages/keywright/src/change/lua/index.ts"
import * as using from "../packages/keywright/src/client/lua/index.ts"
import { embedLua, luaFolders } from "../scripts/embed-lua.mjs"

const constantsIn = (module: string) => [...module.matchAll(/export const (\w+)/g)].map(([, name]) => name)

it.each([
  [luaFolders[0]!, using],
  [luaFolders[1]!, changing],
])("%s holds the scripts beside it as they are now; if not, run `npm run generate`", async (folder, scripts) => {
  const read = (file: string) => readFileSync(new URL(file, folder), "utf8")
  for (const { name, source } of Object.values(scripts)) expect(source, name).toBe(read(`${name}.lua`))
  expect(constantsIn(read("index.ts"))).toEqual(constantsIn(await embedLua(folder)))
})
