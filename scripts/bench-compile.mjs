/* Compiles one bench ahead of time, so that nothing is transformed while it is
 * measured. Packages stay outside, and what a bench imports from the sources of
 * a package (`../../packages/keywright/src/…`, for what is not public) or of a system
 * is taken from its build: what is measured is what is shipped. */

import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { root } from "./step.mjs"

const fromBuild = {
  name: "from the build",
  setup({ onResolve }) {
    onResolve({ filter: /\/packages\/\w+\/src\// }, ({ path }) => ({
      path: path.replace(/\/src\//, "/dist/").replace(/\.ts$/, ".js"),
      external: true,
    }))
    onResolve({ filter: /\/systems\/\w+\/[\w-]+\.ts$/ }, ({ path }) => ({
      path: path.replace(/\/systems\//, "/systems/dist/").replace(/\.ts$/, ".js"),
      external: true,
    }))
  },
}

/** Compiles files of bench/src, named without extension; returns a function that imports one of them. */
export async function compile(names) {
  await build({
    entryPoints: names.map((name) => join(root, "bench/src", `${name}.ts`)),
    outdir: join(root, "bench/dist"),
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: true,
    logLevel: "error",
    plugins: [fromBuild],
  })
  return (name) => import(pathToFileURL(join(root, "bench/dist", `${name}.js`)).href)
}
