/* The bill of materials of a published package (CycloneDX 1.6, JSON): itself, what is bundled
 * into it and where, and what is installed with it. The same sources produce the same file. */

import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { readPackageIn } from "./bundled-packages.mjs"
import { replaceFile } from "./replace-file.mjs"
import { root } from "./step.mjs"

/** `bundles`: the packages in each file or folder of the package, by its path. */
export async function writeSbom(home, bundles) {
  const own = JSON.parse(await readFile(join(home, "package.json"), "utf8"))
  const installed = await Promise.all(Object.keys(own.dependencies ?? {}).map(installedPackage))
  const found = new Map()
  for (const one of installed) found.set(refOf(one), { ...one, places: [] })
  for (const [place, packages] of Object.entries(bundles))
    for (const one of packages) {
      const known = found.get(refOf(one)) ?? { ...one, places: [] }
      found.set(refOf(one), { ...known, places: [...known.places, place] })
    }
  const parts = [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  const ref = refOf(own)
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: componentOf(own) },
    components: parts.map(([, one]) => ({
      ...componentOf(one),
      scope: "required",
      ...(one.places.length > 0 && {
        properties: one.places.map((value) => ({ name: "keywright:bundled-in", value })),
      }),
    })),
    dependencies: [{ ref, dependsOn: parts.map(([one]) => one) }, ...parts.map(([one]) => ({ ref: one }))],
  }
  const digest = createHash("sha256").update(JSON.stringify(bom)).digest("hex")
  const serialNumber = `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  const { bomFormat, specVersion, ...rest } = bom
  const text = JSON.stringify({ bomFormat, specVersion, serialNumber, ...rest }, undefined, 2)
  await replaceFile(join(home, "dist/sbom.cdx.json"), Buffer.from(`${text}\n`))
}

/** In this repository or in node_modules. */
async function installedPackage(name) {
  if (!name.startsWith("@keywright/")) return readPackageIn(`node_modules/${name}`)
  const file = join(root, "packages", name.slice("@keywright/".length), "package.json")
  return JSON.parse(await readFile(file, "utf8"))
}

/** As package URLs have it: the @ of a scope is escaped. */
const refOf = ({ name, version }) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`

function componentOf({ name, version, license }) {
  const [, group, base = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  const isExpression = / (OR|AND|WITH) /.test(license)
  return {
    type: "library",
    "bom-ref": refOf({ name, version }),
    ...(group && { group }),
    name: base,
    version,
    licenses: [isExpression ? { expression: license.replace(/^\((.*)\)$/, "$1") } : { license: { id: license } }],
    purl: refOf({ name, version }),
  }
}
