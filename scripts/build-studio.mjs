/* Bundles the studio's page into packages/keywright/dist/studio: index.html, app.js,
 * app.css and icon.svg. Nothing is inline, so that the page can be served with a
 * policy that refuses inline script and style. */

import { mkdir, readFile, readdir } from "node:fs/promises"
import { join } from "node:path"
import { build } from "esbuild"
import { replaceFile } from "./replace-file.mjs"
import { root } from "./step.mjs"

/** Into the package's dist, unless told. */
export async function buildStudio(into = join(root, "packages/keywright/dist/studio")) {
  const from = join(root, "packages/keywright/src/studio/app")
  const { outputFiles, metafile } = await build({
    entryPoints: [
      { in: join(from, "main.tsx"), out: "app" },
      { in: join(from, "styles/index.css"), out: "app" },
    ],
    outdir: into,
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome111", "firefox115", "safari16.4"],
    tsconfig: join(from, "tsconfig.json"),
    legalComments: "none",
    metafile: true,
    logLevel: "error",
  })
  await mkdir(into, { recursive: true })
  const copied = ["index.html", "icon.svg"].map(async (name) =>
    replaceFile(join(into, name), await readFile(join(from, name))),
  )
  const licences = replaceFile(join(into, "licences.txt"), Buffer.from(await licencesOf(metafile)))
  await Promise.all([licences, ...copied, ...outputFiles.map(({ path, contents }) => replaceFile(path, contents))])
}

/** The licences of the packages that are in it. */
async function licencesOf({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  )
  const texts = [...packages].sort().map(async (name) => {
    const folder = join(root, "node_modules", name)
    const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one))
    return `${name}\n\n${file === undefined ? "" : await readFile(join(folder, file), "utf8")}`
  })
  return (await Promise.all(texts)).join(`\n${"-".repeat(72)}\n\n`)
}
