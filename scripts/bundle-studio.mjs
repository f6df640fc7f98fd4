/* Bundles the studio's server into packages/keywright/dist/studio/server.js, for
 * programs that start it themselves (`keywright/studio`): with the packages that only
 * it needs, and without the toolkit's own modules. Those are the ones that the program
 * uses anyway, so that there is one copy of them. */

import { mkdir } from "node:fs/promises"
import { dirname, join, relative, resolve, sep } from "node:path"
import { build } from "esbuild"
import { readPackage } from "./bundle-cli.mjs"
import { licencesOf, packagesIn } from "./bundled-packages.mjs"
import { replaceFile } from "./replace-file.mjs"
import { nodeBundle } from "./bundle-options.mjs"

/** Returns the packages that are in it. */
export async function bundleStudio() {
  const { home, version, external } = await readPackage()
  const outfile = join(home, "dist/studio/server.js")
  const { outputFiles, metafile } = await build({
    entryPoints: [join(home, "src/studio/server/index.ts")],
    outfile,
    ...nodeBundle,
    external,
    define: { KEYWRIGHT_VERSION: JSON.stringify(version) },
    plugins: [ownModules(join(home, "src"), dirname(outfile), join(home, "dist"))],
  })
  await mkdir(dirname(outfile), { recursive: true })
  const packages = await packagesIn(metafile)
  const licences = { path: `${outfile}.licences.txt`, contents: Buffer.from(await licencesOf(packages)) }
  await Promise.all([...outputFiles, licences].map(({ path, contents }) => replaceFile(path, contents)))
  return packages
}

/** What is in src, but not in studio/ or cli/, is imported from dist. */
const ownModules = (src, from, dist) => ({
  name: "own-modules",
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const file = relative(src, resolve(resolveDir, path))
      if (!resolveDir.startsWith(src) || /^(studio|cli)\//.test(file.replaceAll(sep, "/"))) return undefined
      const built = relative(from, join(dist, file.replace(/\.ts$/, ".js"))).replaceAll(sep, "/")
      return { path: built, external: true }
    })
  },
})
