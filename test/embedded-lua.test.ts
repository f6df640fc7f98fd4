import { expect, it } from "vitest"
import * as changing from "../packages/keywright/src/change/lua/index.ts"
import * as using from "../packages/keywright/src/client/lua/index.ts"
import { embedLua, luaFolders } from "../scripts/embed-lua.mjs"

/** Name → source, and whether little is read of its reply, as a generated module has them. */
const scriptsIn = (module: string) =>
  Object.fromEntries(
    [...module.matchAll(/export const (\w+): Script = scriptOf\("[\w-]+", (".*")(, shortReply)?\)$/gm)].map(
      ([, name, source, short]) => [name, [JSON.parse(source!) as string, short !== undefined]],
    ),
  )

it.each([
  [luaFolders[0]!, using],
  [luaFolders[1]!, changing],
])("%s holds the scripts beside it as they are now; if not, run `npm run generate`", async (folder, scripts) => {
  const now = scriptsIn(await embedLua(folder))
  expect(Object.keys(now).length).toBeGreaterThan(2)
  const found = Object.entries(scripts).map(([name, { source, mostBytes }]) => [
    name,
    [source, mostBytes !== undefined],
  ])
  expect(Object.fromEntries(found)).toEqual(now)
})
