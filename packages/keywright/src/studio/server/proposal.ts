/* The proposal that a system without a schema was opened with: as a file to download, or saved
 * where the studio was started. */

import { realpathSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { fileTaken, noProposal, pathRefused } from "../../errors/studio.ts"
import { fileUnwritable } from "../../errors/file.ts"
import { inferSource } from "../../render/source/infer-source.ts"
import type { ProposedSource } from "../api.ts"
import type { OpenSystem } from "./open-system.ts"

function sourceOf({ given, name }: OpenSystem): string {
  if (given.inference === undefined) throw noProposal(name)
  return inferSource(given.inference, { day: new Date().toISOString().slice(0, 10) })
}

export const proposalOf = (system: OpenSystem): ProposedSource => ({
  system: system.name,
  source: sourceOf(system),
})

/** Writes it into the folder where the studio was started, or below; never over a file that exists. */
export function saveProposal(system: OpenSystem, path: string, folder = process.cwd()): { readonly file: string } {
  const source = sourceOf(system)
  const full = placeFor(path, folder)
  try {
    writeFileSync(full, source, { flag: "wx" })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? fileTaken(path) : fileUnwritable(path, error)
  }
  return { file: relative(folder, full) }
}

/** A page may name a file, but not reach beyond the folder: neither with dots nor through a link. */
function placeFor(path: string, folder: string): string {
  if (!/^[\w.-]+(?:\/[\w.-]+)*\.ts$/.test(path)) throw pathRefused(path)
  const home = realpathSync(folder)
  const wanted = resolve(home, path)
  let parent: string
  try {
    parent = realpathSync(dirname(wanted))
  } catch (error) {
    throw fileUnwritable(path, error)
  }
  if (parent !== home && !parent.startsWith(home + sep)) throw pathRefused(path)
  return join(parent, basename(wanted))
}
