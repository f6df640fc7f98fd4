/* Where the scripts of a schema's steps are: beside the source. The build has only
 * JavaScript, and reads the same files, so there are no copies to go stale.
 *
 *   const lua = luaBeside(import.meta.url)
 *   step({ script: lua("view"), … })              steps/view.lua beside the schema
 *   step({ script: lua.with("tell", "view"), … })  the same, where it says `-- include tell`; also several: ["tell", "ask"] */

import { readFileSync } from "node:fs"

export const luaBeside = (module: string) => {
  const source = module.replace("/systems/dist/", "/systems/")
  const urlOf = (name: string): URL => new URL(`./steps/${name}.lua`, source)
  const read = (name: string): string => readFileSync(urlOf(name), "utf8")
  return Object.assign(urlOf, {
    with: (included: string | readonly string[], name: string): string =>
      [included]
        .flat()
        .reduce((text, one) => text.replace(new RegExp(`^-- include ${one}$`, "m"), () => read(one)), read(name)),
  })
}
