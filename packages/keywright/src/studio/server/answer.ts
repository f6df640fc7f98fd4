/* Errors as answers: which status, and what it says. Unexpected errors are reported
 * without their message, which could quote a value. */

import { StudioRefusal } from "../../errors/studio.ts"
import { isKeywrightError } from "../../errors/error.ts"
import { errorReport } from "../../errors/error-report.ts"
import type { Failure } from "../api.ts"

/** By the area of the code: where the toolkit's own errors belong. */
const STATUS: readonly (readonly [RegExp, number])[] = [
  [/^DRIVER\.|^SERVER\.(NOAUTH|WRONGPASS|DENIED|LOADING|MASTERDOWN|BUSY|OOM|READONLY)$/, 502],
  [/^INSPECT\.INTERRUPTED$|^CHANGE\.INTERRUPTED$/, 502],
  [/^ENTITY\.NOT_FOUND$/, 404],
  [/^(ENTITY|INDEX|TRANSACTION)\.|^(SERVER|CLIENT)\.WRONGTYPE$/, 409],
  [/^(CODEC|KEY|VALUE|CALL|FAMILY|TTL)\./, 422],
  [/^SERVER\./, 502],
]

export function statusOf(error: unknown): number {
  if (error instanceof StudioRefusal) return error.status
  if (!isKeywrightError(error)) return 500
  return STATUS.find(([code]) => code.test(error.code))?.[1] ?? 500
}

export function failureOf(error: unknown): Failure {
  if (!isKeywrightError(error))
    return {
      error: {
        code: "STUDIO.UNEXPECTED",
        message: "the studio failed with an internal error",
        fix: "See the terminal where it runs, and report it.",
      },
    }
  const issues = error instanceof StudioRefusal ? error.issues : undefined
  return { error: { ...errorReport(error), ...(issues !== undefined && issues.length > 0 && { issues }) } }
}
