/* What packages a bundle is made of, by what the bundler read: names, versions, licences. */

import { readFile, readdir } from "node:fs/promises"
import { join } from "node:path"
import { root } from "./step.mjs"

/** For one or several bundles: `{ name, version, license, folder }`, each once, by name. */
export async function packagesIn(...metafiles) {
  const folders = new Set(
    metafiles
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  )
  const packages = await Promise.all([...folders].map(readPackageIn))
  return packages.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
}

/** The package in a folder, relative to the repository. */
export async function readPackageIn(path) {
  const folder = join(root, path.slice(path.indexOf("node_modules/")))
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  return { name, version, license, folder }
}

/** The text of their licences, for the file beside the bundle. */
export async function licencesOf(packages) {
  const texts = packages.map(async ({ name, version, license, folder }) => {
    const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one))
    return `${name} ${version}\n\n${file === undefined ? license : await readFile(join(folder, file), "utf8")}`
  })
  return (await Promise.all(texts)).join(`\n${"-".repeat(72)}\n\n`)
}
