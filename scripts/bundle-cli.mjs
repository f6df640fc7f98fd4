/* Bundles the command line into packages/keywright/dist/bin, so that installing keywright
 * brings none of what only the command line needs. Commands are loaded when they are
 * called: each is a separate file. */

import { mkdir, readFile, readdir, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { build } from "esbuild"
import { licencesOf, packagesIn } from "./bundled-packages.mjs"
import { replaceFile } from "./replace-file.mjs"
import { root } from "./step.mjs"
import { nodeBundle, requireBanner } from "./bundle-options.mjs"

/** The package's folder and version, and what is not bundled: what it depends on when it is installed. */
export async function readPackage() {
  const home = join(root, "packages/keywright")
  const { version, dependencies } = JSON.parse(await readFile(join(home, "package.json"), "utf8"))
  return { home, version, external: [...Object.keys(dependencies), "jiti"] }
}

/** Returns the packages that are in it. */
export async function bundleCli() {
  const { home, version, external } = await readPackage()
  const outdir = join(home, "dist/bin")
  const { outputFiles, metafile } = await build({
    entryPoints: { keywright: join(home, "src/cli/main.ts") },
    outdir,
    ...nodeBundle,
    splitting: true,
    external,
    define: { KEYWRIGHT_VERSION: JSON.stringify(version) },
    banner: requireBanner,
  })
  // A command that starts meanwhile finds whole files: each is replaced at once, and only if it has changed.
  await mkdir(outdir, { recursive: true })
  const packages = await packagesIn(metafile)
  const licences = { path: join(outdir, "licences.txt"), contents: Buffer.from(await licencesOf(packages)) }
  const files = [...outputFiles, licences]
  await Promise.all(files.map(({ path, contents }) => replaceFile(path, contents)))
  const made = new Set(files.map(({ path }) => basename(path)))
  const stale = (await readdir(outdir)).filter((file) => !made.has(file) && !file.endsWith(".new"))
  await Promise.all(stale.map((file) => rm(join(outdir, file), { force: true })))
  return packages
}
