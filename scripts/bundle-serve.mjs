/* Bundles `npm run serve` into systems/dist/bin: starting it from its thousand modules takes three times
 * as much of the processor. What is native, or has workers of its own, stays in its package. */

import { readFile, rm } from "node:fs/promises"
import { join, relative, sep } from "node:path"
import { build } from "esbuild"
import { nodeBundle, requireBanner } from "./bundle-options.mjs"
import { root } from "./step.mjs"

const dist = join(root, "systems/dist")

export async function bundleServe() {
  const outdir = join(dist, "bin")
  await rm(outdir, { recursive: true, force: true })
  await build({
    entryPoints: [join(dist, "serve.js")],
    outdir,
    ...nodeBundle,
    write: true,
    splitting: true,
    external: ["@keywright/embedded", "@node-rs/argon2", "libsql", "pg"],
    banner: requireBanner,
    plugins: [ownAddresses(outdir)],
  })
}

/** A module that looks for files beside it finds them where it was. */
const ownAddresses = (outdir) => ({
  name: "own-addresses",
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      if (!text.includes("import.meta.url")) return undefined
      const file = JSON.stringify(relative(outdir, path).replaceAll(sep, "/"))
      return { contents: text.replaceAll("import.meta.url", `new URL(${file}, import.meta.url).href`) }
    })
  },
})
