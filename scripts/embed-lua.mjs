/* Writes index.ts into each folder of scripts, so that a bundled application needs no files
 * at run time. A line `-- include holds` becomes the function in client/lua/include/holds.lua.
 * Run by `npm run generate`; a test fails when one is out of date. */

import { readdir, readFile, writeFile } from "node:fs/promises"
import { pathToFileURL } from "node:url"

const src = new URL("../packages/keywright/src/", import.meta.url)
export const luaFolders = ["client/lua/", "change/lua/"].map((path) => new URL(path, src))

export async function embedLua(folder) {
  const names = (await readdir(folder)).filter((file) => file.endsWith(".lua")).sort()
  const scripts = await Promise.all(
    names.map(async (file) => {
      const name = file.slice(0, -4)
      const constant = name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()) + "Script"
      const source = await withIncludes(await readFile(new URL(file, folder), "utf8"))
      return `/** ${file} */\nexport const ${constant}: Script = scriptOf("${name}", ${JSON.stringify(source)})\n`
    }),
  )
  return `/* Made by scripts/embed-lua.mjs from the .lua files beside it: change those. */

import type { Script } from "../../driver/driver.ts"
import { scriptOf } from "../../driver/script.ts"

${scripts.join("\n")}`
}

async function withIncludes(source) {
  const names = [...source.matchAll(/^-- include ([\w-]+)\n/gm)].map(([, name]) => name)
  for (const name of names) {
    const included = await readFile(new URL(`client/lua/include/${name}.lua`, src), "utf8")
    source = source.replace(`-- include ${name}\n`, () => included)
  }
  return source
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const folder of luaFolders) await writeFile(new URL("index.ts", folder), await embedLua(folder))
}
