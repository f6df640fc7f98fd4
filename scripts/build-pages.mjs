/* Bundles the pages of the systems into systems/dist/pages: a script and styles for each
 * folder of systems/pages that has a main.tsx, under names that hold their digest, and
 * pages.json, which says which page needs which. The API explorer also takes Swagger UI as
 * it comes. Nothing is inline, so that a policy can refuse inline script and style. */

import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { basename, dirname, join, relative } from "node:path"
import { build } from "esbuild"
import { licencesOf, packagesIn } from "./bundled-packages.mjs"
import { replaceFile } from "./replace-file.mjs"
import { root } from "./step.mjs"
import { pageBundle } from "./bundle-options.mjs"

const from = join(root, "systems/pages")

/** Into the systems' dist by default. */
export async function buildPages(into = join(root, "systems/dist/pages")) {
  const names = (await readdir(from)).filter((name) => existsSync(join(from, name, "main.tsx")))
  const { outputFiles, metafile } = await build({
    entryPoints: names.flatMap((name) => [
      { in: join(from, name, "main.tsx"), out: name },
      { in: join(from, name, "index.css"), out: name },
    ]),
    entryNames: "[name]-[hash]",
    outdir: into,
    ...pageBundle,
    tsconfig: join(from, "tsconfig.json"),
  })
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]))
  const pages = Object.fromEntries(names.map((name) => [name, { scripts: [], styles: [] }]))
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint === undefined) continue
    const page = pages[basename(dirname(entryPoint))]
    ;(path.endsWith(".css") ? page.styles : page.scripts).push(basename(path))
  }
  if (pages.docs !== undefined) await addExplorer(pages.docs, files)
  const icon = await readFile(join(root, "packages/keywright/src/studio/app/icon.svg"))
  pages.icon = { scripts: [], styles: [add(files, "icon.svg", icon)] }
  const licences = await licencesOf(await packagesIn(metafile))
  add(files, "licences.txt", Buffer.from(licences))

  await rm(into, { recursive: true, force: true })
  await mkdir(into, { recursive: true })
  await Promise.all([...files].map(([name, bytes]) => replaceFile(join(into, name), bytes)))
  const list = JSON.stringify({ pages, files: [...files.keys()].sort() }, null, 2)
  await replaceFile(join(into, "pages.json"), Buffer.from(list))
}

/** Swagger UI comes first: our script starts it. */
async function addExplorer(page, files) {
  const swagger = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"))
  const file = (name) => readFile(join(swagger, name))
  page.scripts.unshift(add(files, "swagger-ui.js", await file("swagger-ui-bundle.js")))
  page.styles.unshift(add(files, "swagger-ui.css", await file("swagger-ui.css")))
  add(files, "swagger-ui-licence.txt", await file("LICENSE"))
}

/** Under a name with its digest. */
function add(files, name, bytes) {
  const digest = createHash("sha256")
    .update(bytes)
    .digest("base64url")
    .replaceAll(/[-_]/g, "")
    .slice(0, 8)
    .toUpperCase()
  const hashed = name.replace(/\.\w+$/, (ending) => `-${digest}${ending}`)
  files.set(hashed, bytes)
  return hashed
}

if (process.argv[1] !== undefined && relative(process.argv[1], import.meta.filename) === "") await buildPages()
