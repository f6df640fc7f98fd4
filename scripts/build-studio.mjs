/* Bundles the studio's page into packages/keywright/dist/studio: index.html, app.js,
 * app.css and icon.svg. Nothing is inline, so that the page can be served with a
 * policy that refuses inline script and style. */

import { mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { build } from "esbuild"
import { licencesOf, packagesIn } from "./bundled-packages.mjs"
import { replaceFile } from "./replace-file.mjs"
import { root } from "./step.mjs"
import { pageBundle } from "./bundle-options.mjs"

/** Into the package's dist by default. Returns the packages that are in it. */
export async function buildStudio(into = join(root, "packages/keywright/dist/studio")) {
  const from = join(root, "packages/keywright/src/studio/app")
  const { outputFiles, metafile } = await build({
    entryPoints: [
      { in: join(from, "main.tsx"), out: "app" },
      { in: join(from, "styles/index.css"), out: "app" },
    ],
    outdir: into,
    ...pageBundle,
    tsconfig: join(from, "tsconfig.json"),
  })
  await mkdir(into, { recursive: true })
  const copied = ["index.html", "icon.svg"].map(async (name) =>
    replaceFile(join(into, name), await readFile(join(from, name))),
  )
  const packages = await packagesIn(metafile)
  const licences = replaceFile(join(into, "licences.txt"), Buffer.from(await licencesOf(packages)))
  await Promise.all([licences, ...copied, ...outputFiles.map(({ path, contents }) => replaceFile(path, contents))])
  return packages
}
