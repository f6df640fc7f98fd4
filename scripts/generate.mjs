/* npm run generate: what is made from other sources and committed: the index of the Lua scripts,
 * and the tables of the documentation. */

import { writeFile } from "node:fs/promises"
import { embedLua, luaFolders } from "./embed-lua.mjs"
import { writeParts } from "./docs/generate.mjs"
import { build } from "./step.mjs"

for (const folder of luaFolders) await writeFile(new URL("index.ts", folder), await embedLua(folder))

await build()
const dist = new URL("../packages/keywright/dist/", import.meta.url)
const { commands } = await import(new URL("cli/commands.js", dist))
const { optionsOf } = await import(new URL("cli/program.js", dist))
const { findingCodes } = await import(new URL("inspect/audit/finding-codes.js", dist))
writeParts({ commands, optionsOf, findingCodes })
