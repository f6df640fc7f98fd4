/* Errors, in one place: what is printed of them, and what the command exits with. */

import { nodeOfError, showFailedAt } from "../errors/failed-at.ts"
import { isKeywrightError } from "../errors/error.ts"
import { errorReport, type ErrorReport } from "../errors/error-report.ts"
import { oneLine } from "../render/printable.ts"
import type { ExitCode } from "./command.ts"
import type { Output } from "./output.ts"

export interface FailureReport extends ErrorReport {
  readonly details?: Readonly<Record<string, unknown>>
}

const NO_CONNECTION =
  /^(DRIVER\.(TIMEOUT|NOT_SENT|CONNECTION_LOST|REPLY_TOO_LARGE|PROTOCOL|CLOSED)|CLI\.NOT_REDIS|SERVER\.(NOAUTH|NOPERM|WRONGPASS|DENIED|LOADING|MASTERDOWN))$/
const PARTIAL = /^(INSPECT|CHANGE|REPAIR|EXPORT|IMPORT|COPY|PURGE|BACKUP)\.(INTERRUPTED|PARTIAL|FAILED|SWITCH_FAILED)$/

/** The error as data. An error that Keywright did not throw on purpose is a bug in Keywright, and is reported as one. */
export function failureOf(error: unknown): FailureReport {
  if (isKeywrightError(error))
    return { ...errorReport(error), ...(error.details !== undefined && { details: error.details }) }
  const message = error instanceof Error ? error.message : String(error)
  return {
    code: "CLI.UNEXPECTED",
    message,
    why: "This is a bug in Keywright, not in your call.",
    fix: "Set KEYWRIGHT_DEBUG=1 to see where it happened, and report it.",
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (!isKeywrightError(error)) return 2
  if (PARTIAL.test(error.code)) return 4
  return NO_CONNECTION.test(error.code) ? 3 : 2
}

/**
 * For people on standard error; with --json as one document on standard output. `secrets` are masked wherever they
 * appear.
 */
export function printFailure(error: unknown, out: Output, secrets: readonly string[] = []): void {
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), text)
  const failure = failureOf(error)
  if (out.json) return out.jsonText(clean(JSON.stringify({ error: failure }, undefined, 2)))
  const { bold, red, dim } = out.errorColour
  const hint = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`  ${dim(name.padEnd(8))}${oneLine(text)}`]
  const node = nodeOfError(error)
  const lines = [
    `${bold(red(failure.code))}  ${oneLine(failure.message)}`,
    ...hint("pattern", failure.pattern),
    ...hint("key", failure.key),
    ...hint("node", node && showFailedAt(node)),
    ...hint("why", failure.why),
    ...hint("fix", failure.fix),
  ]
  if (process.env["KEYWRIGHT_DEBUG"] && error instanceof Error) lines.push(dim(error.stack ?? ""))
  out.remark(clean(lines.join("\n")))
}
