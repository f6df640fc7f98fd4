/* What an application pays for declaring one key and connecting nothing,
 * keyspace()'s checks included. A limit that is passed by a little is worth a
 * look at what came along: `contents` of the failure lists it by file. */

import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { describe, expect, it } from "vitest"

const LIMIT = 3_600

const program = `
import { keyspace, string, text } from "keywright"
export const s = keyspace({ page: string("cache:{hash}", text, { ttl: "5m" }) })
`

async function bundle(contents: string) {
  const result = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "ts" },
    conditions: ["@keywright/source"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    metafile: true,
    write: false,
    outfile: "bundle.js",
  })
  const output = result.metafile.outputs["bundle.js"]
  const sizes = Object.entries(output?.inputs ?? {}).map(([file, { bytesInOutput }]) => `${bytesInOutput} ${file}`)
  return {
    bytes: gzipSync(result.outputFiles[0]?.contents ?? "", { level: 9 }).length,
    imports: output?.imports.map(({ path }) => path) ?? [],
    contents: sizes.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10)).join("\n"),
  }
}

describe("a bundle that declares one key", () => {
  it(`is under ${LIMIT} bytes, minified and gzipped`, async () => {
    const { bytes, contents } = await bundle(program)
    expect(bytes, contents).toBeLessThan(LIMIT)
  })

  it("needs nothing of Node and no other package", async () => {
    expect((await bundle(program)).imports).toEqual([])
  })
})
