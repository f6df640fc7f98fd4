/* An RDB file instead of a server: the same option for every command that only reads. */

import { usageRefused } from "../errors/cli.ts"
import { type Invocation, type Option, textOption } from "./command.ts"
import { requireFile } from "./named-file.ts"

export const RDB: Option = { flags: "--rdb <file>", about: "an RDB file instead of a server" }

/** Options that only make sense for a server. */
const SERVER_ONLY = ["url", "rate", "resume", "timeout"]

/** The file that --rdb names; undefined when it was not given. Says on standard error which file is read. */
export function rdbFile(call: Invocation): string | undefined {
  const file = textOption(call, "rdb")
  if (file === undefined) return undefined
  const odd = SERVER_ONLY.find((name) => call.options[name] !== undefined)
  if (odd !== undefined)
    throw usageRefused(`--${odd} is for a server, and --rdb names a file`, "Leave one of them out.")
  requireFile(file)
  call.out.noteOnce(`file: ${file}`)
  return file
}
