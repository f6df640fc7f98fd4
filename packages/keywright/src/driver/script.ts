/* Scripts as values, and as commands for where only a command fits. */

import type { Command, Script, Wire } from "./driver.ts"
import { sha1 } from "./reply-digest.ts"
import { SHORT_REPLY_BYTES } from "./resp-reader.ts"

/** A script and its digest. `name` is for messages. */
export function scriptOf(name: string, source: string, mostBytes?: Script["mostBytes"]): Script {
  return Object.freeze({ name, source, sha1: sha1(source), ...(mostBytes !== undefined && { mostBytes }) })
}

/** The maximum size of the reply of a script that returns a few numbers. */
export const shortReply = (): number => SHORT_REPLY_BYTES

/** The script as one command, for a batch: by text, because a digest may be forgotten before its turn comes. */
export function evalCommand(script: Script, keys: readonly Wire[], args: readonly Wire[]): Command {
  return ["EVAL", script.source, String(keys.length), ...keys, ...args]
}
