/* Where the scripts of a schema's steps are: beside the source. The build has only
 * JavaScript, and reads the same files, so there are no copies to go stale.
 *
 *   const lua = luaBeside(import.meta.url)
 *   step({ script: lua("view"), … })        steps/view.lua beside the schema */

export const luaBeside = (module: string) => {
  const source = module.replace("/systems/dist/", "/systems/")
  return (name: string): URL => new URL(`./steps/${name}.lua`, source)
}
