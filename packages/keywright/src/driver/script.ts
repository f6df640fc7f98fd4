/* Scripts as values, and as commands for where only a command fits. */

import { createHash } from "node:crypto"
import type { Command, Script, Wire } from "./driver.ts"

/** A script and its digest. `name` is for messages. */
export function scriptOf(name: string, source: string): Script {
  return Object.freeze({ name, source, sha1: createHash("sha1").update(source).digest("hex") })
}

/** The script as one command, for a batch: by text, because a digest may be forgotten before its turn comes. */
export function evalCommand(script: Script, keys: readonly Wire[], args: readonly Wire[]): Command {
  return ["EVAL", script.source, String(keys.length), ...keys, ...args]
}
