/* The proposal that a system without a schema was opened with: as a file to download, or saved
 * where the studio was started. */

import { realpathSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { fileTaken, noProposal, pathRefused } from "../../errors/studio.ts"
import { fileUnwritable } from "../../errors/file.ts"
import type { Inference } from "../../inspect/infer/infer.ts"
import { inferSource } from "../../render/source/infer-source.ts"
import type { ProposedSource } from "../api.ts"
import type { OpenSystem } from "./open-system.ts"

const MOST_UNEXPLAINED = 50

function inferenceOf({ given, name }: OpenSystem): Inference {
  if (given.inference === undefined) throw noProposal(name)
  return given.inference
}

const sourceOf = (inference: Inference): string =>
  inferSource(inference, { day: new Date().toISOString().slice(0, 10) })

export function proposalOf(system: OpenSystem): ProposedSource {
  const inference = inferenceOf(system)
  const { keys, explained, unexplained } = inference
  return {
    system: system.name,
    source: sourceOf(inference),
    keys,
    explained,
    unexplained: unexplained
      .slice(0, MOST_UNEXPLAINED)
      .map(({ pattern, keys: count, reason }) => ({ pattern, keys: count, reason })),
  }
}

/** Writes it into the folder where the studio was started, or below; never over a file that exists. */
export function saveProposal(system: OpenSystem, path: string, folder = process.cwd()): { readonly file: string } {
  const inference = inferenceOf(system)
  const full = placeFor(path, folder)
  try {
    writeFileSync(full, sourceOf(inference), { flag: "wx" })
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
