/* For programs in CommonJS: beside each entry point x.js of a published package an x.cjs, which requires it (Node does
 * that from 20.19 on, so both kinds of programs share one copy), and an x.d.cts with the same types. A compiler that
 * resolves as Node 16 did refuses to require the types of an ES module; from these it only takes their names. */

import { writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { exportsOf, ts } from "./docs/read-source.mjs"

/** What an entry point `{ types, browser?, default }` is for require(). */
export const requireOf = ({ types, browser, default: code }) => ({
  types: types.replace(/\.d\.ts$/, ".d.cts"),
  ...(browser && { browser: browser.replace(/\.js$/, ".cjs") }),
  default: code.replace(/\.js$/, ".cjs"),
})

/** Writes both files of an entry point; `source` is a path of the repository. */
export async function writeCommonJs(out, source, entry) {
  const required = requireOf(entry)
  const code = `./${basename(entry.default)}`
  await writeFile(join(out, required.default), `"use strict"\nmodule.exports = require(${JSON.stringify(code)})\n`)
  await writeFile(
    join(out, required.types),
    declarationsOf(exportsOf(source), `./${basename(entry.types, ".d.ts")}.js`),
  )
}

/** The declarations of a CommonJS module that exports what the ES module `from` does. */
export function declarationsOf(exported, from) {
  const mode = `with { "resolution-mode": "import" }`
  const module = `import(${JSON.stringify(from)}, { ${mode.replace("with", "with:")} })`
  const isType = (node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  const isBoth = ({ nodes }) => nodes.some(ts.isClassDeclaration)
  const types = exported.filter(({ nodes }) => nodes.every(isType)).map(({ name }) => name)
  const values = exported.filter(({ nodes }) => !nodes.every(isType))
  return [
    `export type { ${types.join(", ")} } from ${JSON.stringify(from)} ${mode}`,
    ...values.map(({ name }) => `export declare const ${name}: typeof ${module}.${name}`),
    ...values.filter(isBoth).map(({ name, nodes }) => {
      const params = nodes.find(ts.isClassDeclaration).typeParameters ?? []
      const declared = params.length === 0 ? "" : `<${params.map((one) => one.getText()).join(", ")}>`
      const given = params.length === 0 ? "" : `<${params.map((one) => one.name.text).join(", ")}>`
      return `export type ${name}${declared} = ${module}.${name}${given}`
    }),
    "",
  ].join("\n")
}
