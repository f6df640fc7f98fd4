/* The writer as one file that a process can run, made from the sources. For mutants, the
 * module that finds drivers is replaced by one that spoils what it finds: nothing of
 * that is in the sources of the client. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"

export interface WriterBundle {
  readonly file: string
  readonly directory: string
  remove(): void
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

const spoiled: Plugin = {
  name: "spoiled drivers",
  setup({ onResolve }) {
    onResolve({ filter: /\/find-driver\.ts$/ }, ({ importer }) =>
      importer.endsWith("mutants.cases.ts") ? undefined : { path: here("./mutants.cases.ts") },
    )
  },
}

export async function bundleWriter(options: { readonly spoiled?: boolean } = {}): Promise<WriterBundle> {
  const directory = mkdtempSync(join(tmpdir(), "keywright-history-"))
  const file = join(directory, "writer.cjs")
  await build({
    entryPoints: [here("./writer.cases.ts")],
    outfile: file,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    logLevel: "error",
    conditions: ["@keywright/source"],
    external: ["@keywright/embedded"],
    define: { "import.meta.url": '"file:///"' },
    plugins: options.spoiled ? [spoiled] : [],
  })
  return { file, directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
