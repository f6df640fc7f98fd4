/* npm run pack -- <folder>: the packages as they are published, as tarballs in a folder (default: here).
 *
 * Each is put together in its folder .publish first: only files that what it exports leads to, without
 * sources, source maps and comments (types keep theirs), and without the condition by which this
 * repository imports its own sources. `changeset publish` publishes from there (publishConfig.directory). */

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { build as bundle, transform } from "esbuild"
import { requireOf, writeCommonJs } from "./common-js.mjs"
import { build, root, run, step } from "./step.mjs"

export const packages = ["embedded", "keywright", "create-keywright"]

/** Puts a package together, in its folder .publish or in another one; returns that folder. */
export async function stage(name, out = join(root, "packages", name, ".publish")) {
  const home = join(root, "packages", name)
  const own = JSON.parse(await readFile(join(home, "package.json"), "utf8"))
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const files = own.exports === undefined ? [] : await neededBy(home, own)
  for (const file of files) await copyFile(home, out, file)
  for (const { "@keywright/source": source, ...entry } of entriesOf(own))
    await writeCommonJs(out, join("packages", name, source), entry)
  for (const file of await besides(name)) await cp(join(home, file), join(out, file), { recursive: true })
  for (const file of ["LICENSE", "CHANGELOG.md"]) await cp(join(root, file), join(out, file))
  await cp(join(home, "README.md"), join(out, "README.md"))
  await writeFile(join(out, "package.json"), `${JSON.stringify(published(own), undefined, 2)}\n`)
  return out
}

/** What is in a package beside what it exports. */
async function besides(name) {
  if (name === "create-keywright") return ["index.js", "template"]
  if (name === "embedded") return ["dist/sbom.cdx.json"]
  return ["bin", "keyspace.schema.json", "dist/sbom.cdx.json"]
}

/** What a package exports with types. */
const entriesOf = ({ exports = {} }) => Object.values(exports).filter((to) => typeof to === "object")

/** The package.json of a published package. */
function published(own) {
  const { files: _, publishConfig, devDependencies: __, scripts: ___, ...rest } = own
  const exports = Object.fromEntries(
    Object.entries(own.exports ?? {}).map(([path, to]) => {
      if (typeof to === "string") return [path, to]
      const { "@keywright/source": _source, ...others } = to
      return [path, { require: requireOf(to), ...others }]
    }),
  )
  const { directory: ____, ...config } = publishConfig
  return { ...rest, ...(own.exports && { exports }), publishConfig: config }
}

/** Every file of dist that the exports lead to, by imports of code and of types; and what is found by its name. */
async function neededBy(home, { exports, bin }) {
  const targets = Object.values(exports).flatMap((to) => (typeof to === "string" ? [] : Object.values(to)))
  const entries = targets.filter((file) => file.startsWith("./dist/")).map((file) => file.slice(2))
  const code = await reachable(home, [
    ...entries.filter((file) => file.endsWith(".js")),
    ...(bin === undefined ? ["dist/worker/main.js"] : ["dist/bin/keywright.js"]),
  ])
  const types = await typesReachable(
    home,
    entries.filter((file) => file.endsWith(".d.ts")),
  )
  return [...new Set([...code, ...types, ...(bin === undefined ? [] : pageAndLicences)])]
}

const pageAndLicences = [
  "dist/bin/keywright.js.LEGAL.txt",
  "dist/bin/licences.txt",
  "dist/studio/app.css",
  "dist/studio/app.js",
  "dist/studio/icon.svg",
  "dist/studio/index.html",
  "dist/studio/licences.txt",
  "dist/studio/server.js.LEGAL.txt",
  "dist/studio/server.js.licences.txt",
]

async function reachable(home, entryPoints) {
  const { metafile } = await bundle({
    entryPoints: entryPoints.map((file) => join(home, file)),
    absWorkingDir: home,
    outdir: join(home, ".unused"),
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    metafile: true,
    logLevel: "error",
  })
  return Object.keys(metafile.inputs)
}

async function typesReachable(home, entries) {
  const found = new Set(entries)
  for (const file of found) {
    const text = await readFile(join(home, file), "utf8")
    for (const [, from] of text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      const target = relative(home, resolve(home, dirname(file), from)).replace(/\.[jt]s$/, ".d.ts")
      found.add(target)
    }
  }
  return found
}

/** Code without comments, what is bundled also without white space, the command line with short names; types with imports that older compilers follow. */
async function copyFile(home, out, file) {
  const target = join(out, file)
  await mkdir(dirname(target), { recursive: true })
  if (/\.(js|d\.ts)$/.test(file) && file !== "dist/studio/app.js") {
    const text = (await readFile(join(home, file), "utf8")).replace(/^\/\/# sourceMappingURL=.*$/m, "")
    await writeFile(target, file.endsWith(".d.ts") ? types(text) : await plain(file, text))
  } else await cp(join(home, file), target).catch((error) => ignoreMissing(error, file))
}

const types = (text) =>
  text
    .replace(/((?:from |import\()"\.[^"]+)\.ts"/g, '$1.js"')
    // Before TypeScript 5.7 arrays of bytes had no type parameter.
    .replace(/\b((?:Uint8|Int32)Array)<(?:Shared)?ArrayBuffer(?:Like)?>/g, "$1")

async function plain(file, text) {
  const isProgram = file.startsWith("dist/bin/")
  const isBundle = isProgram || file === "dist/studio/server.js"
  const { code } = await transform(text, {
    format: "esm",
    target: "node20",
    minifyWhitespace: isBundle,
    minifySyntax: isBundle,
    minifyIdentifiers: isProgram,
    legalComments: "inline",
  })
  return code
}

function ignoreMissing(error, file) {
  if (error.code !== "ENOENT" || !/licences\.txt$|LEGAL\.txt$/.test(file)) throw error
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folder = process.argv.slice(2).find((arg) => !arg.startsWith("--")) ?? "."
  const onlyStage = process.argv.includes("--stage")
  if (!(await step("build (tsc -b)", () => build()))) process.exit(1)
  await mkdir(folder, { recursive: true })
  for (const name of packages) {
    const ok = await step(`pack packages/${name}`, async () => {
      const out = await stage(name)
      return onlyStage ? { code: 0, output: "" } : run("npm", ["pack", out, "--pack-destination", resolve(folder)])
    })
    if (!ok) process.exitCode = 1
  }
}
