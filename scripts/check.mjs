/* npm run check: everything that can be said about the sources without running
 * them, and about the packages as they would be published. Quick steps first;
 * all of them run, so that one look shows all that is wrong. */

import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packages, stage } from "./pack.mjs"
import { build, run, step } from "./step.mjs"

const results = [
  await step("format (oxfmt)", () => run("oxfmt", ["--check", "."])),
  await step("lint (oxlint)", () => run("oxlint", ["--deny-warnings"])),
  await step("types (tsc)", () => run("tsc", ["-p", "tsconfig.check.json"])),
  await step("types of the studio's page (tsc)", () => run("tsc", ["-p", "packages/keywright/src/studio/app"])),
  await step("types of the systems' pages (tsc)", () => run("tsc", ["-p", "systems/pages"])),
  await step("nothing unused (knip)", () => run("knip", [])),
]

const built = await step("build (tsc -b)", () => build())
results.push(built)

if (built) {
  const packed = await mkdtemp(join(tmpdir(), "keywright-pack-"))
  try {
    for (const name of packages) results.push(...(await checkPackage(name, packed)))
  } finally {
    await rm(packed, { recursive: true, force: true })
  }
}

const failed = results.filter((ok) => !ok).length
console.log(failed === 0 ? "\nall clean" : `\n${failed} of ${results.length} steps failed`)
process.exitCode = failed === 0 ? 0 : 1

/** Packs one package as it is published, and reads the tarball as its users' tools will: from ES modules and from CommonJS. */
async function checkPackage(name, packed) {
  const before = new Set(await readdir(packed))
  const pack = async () => run("npm", ["pack", await stage(name, join(packed, name)), "--pack-destination", packed])
  if (!(await step(`pack packages/${name}`, pack))) return [false]
  const file = (await readdir(packed)).find((entry) => entry.endsWith(".tgz") && !before.has(entry))
  const tarball = join(packed, file)
  const lint = await step(`publint packages/${name}`, () => run("publint", ["run", tarball, "--strict"]))
  if (name === "create-keywright") return [lint]
  return [lint, await step(`attw packages/${name}`, () => run("attw", [tarball, "--profile", "node16"]))]
}
