/* The errors of inspecting a server. Problems in its data are not errors but findings. */

import { KeywrightError, SchemaError } from "./error.ts"
import { nodeDetails, reasonOf } from "./failed-at.ts"
import { keyCount } from "./key-count.ts"

/** A walk that could not continue. What was found so far is in `partial`, if anything. */
export class Interrupted<T = unknown> extends KeywrightError {
  /** How many keys had been read. */
  readonly keys: number
  /** Where to continue: pass it as `resume`. Empty for a file, which is read from its beginning. */
  readonly resume: string
  partial: T | undefined

  constructor(keys: number, resume: string, cause: unknown) {
    super("INSPECT.INTERRUPTED", `the walk stopped after ${keyCount(keys)}: ${reasonOf(cause)}`, {
      why: `${resume === "" ? "The" : "The server went away, or the"} call was aborted; what was read until then is kept.`,
      fix:
        resume === "" ? "Run it again: a file is read from its beginning." : `Continue from there: resume "${resume}".`,
      details: { keys, resume, ...nodeDetails(cause) },
      cause,
    })
    this.keys = keys
    this.resume = resume
  }
}

export const interrupted = (keys: number, resume: string, cause: unknown): Interrupted =>
  cause instanceof Interrupted ? cause : new Interrupted(keys, resume, cause)

/** What stopped the walk over a file: its damage, or the caller. */
export function fileInterrupted(error: unknown): unknown {
  if (!(error instanceof Interrupted)) return error
  if (error.cause instanceof KeywrightError) return error.cause
  const again = new Interrupted(error.keys, "", error.cause)
  again.partial = error.partial
  return again
}

/** It becomes the cause of an `Interrupted`. */
export const serverChanging = (): KeywrightError =>
  new KeywrightError("INSPECT.CHANGING", "the server process had changed at the end of each walk", {
    why: "A cursor is valid only for the server process that returned it.",
    fix: "Find out why the server keeps being restarted or replaced.",
  })

/** For a list that is too long to be read at once. */
export const listChanging = (): KeywrightError =>
  new KeywrightError("INSPECT.LIST_CHANGING", "a very long list was changed while it was read", {
    why: "It is read in parts, by position, and each element that is removed from its head moves all others.",
    fix: "Run it again while nothing is removed from the list, or leave the list out.",
  })

export const resumeRefused = (token: string): SchemaError =>
  new SchemaError("INSPECT.RESUME", `${JSON.stringify(token.slice(0, 60))} is not a place to resume from`, {
    fix: "Pass the token of the interrupted walk, unchanged, with the same schema and databases.",
  })

/** What `expectClean` throws: the findings, as they may be printed. */
export class NotClean extends KeywrightError {
  override readonly name = "AssertionError"
}

/** What was not read is not known to be clean. */
export const notRead = (
  unreadable: readonly { readonly keys: number; readonly pattern: string; readonly reason: string }[],
): NotClean => {
  const lines = unreadable.map(({ keys, pattern, reason }) => `${keys} × ${pattern} could not be read: ${reason}`)
  return new NotClean("AUDIT.UNREADABLE", lines.join("\n"), {
    why: "Data that the server refuses to show may be right or wrong.",
    fix: "Allow this user the commands and the keys.",
  })
}

export const notClean = (
  count: number,
  lines: readonly string[],
  details: Readonly<Record<string, number>>,
): NotClean =>
  new NotClean("AUDIT.NOT_CLEAN", `the data does not match its schema: ${count} findings\n${lines.join("\n")}`, {
    details,
    fix: "Each finding names its key and what was expected: fix the code that wrote it.",
  })
