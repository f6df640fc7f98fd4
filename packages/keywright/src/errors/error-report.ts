/* An error as data, for code that prints it or answers with it. Errors are recognised by
 * their shape, not by class: a schema that was loaded brings its own copy of the toolkit,
 * whose errors are not instances of ours. */

import type { KeywrightError } from "./error.ts"

/** Everything of an error that may be shown; what it does not have is left out. */
export interface ErrorReport {
  readonly code: string
  readonly message: string
  readonly why?: string
  readonly fix?: string
  readonly pattern?: string
  readonly key?: string
}

/** Thrown on purpose: by this toolkit, or by another copy of it. */
export const isOwn = (error: unknown): error is KeywrightError =>
  error instanceof Error && /^[A-Z_]+\.[A-Z_0-9]+$/.test(String((error as { code?: unknown }).code))

export function errorReport({ code, message, why, fix, pattern, key }: KeywrightError): ErrorReport {
  return {
    code,
    message,
    ...(why !== undefined && { why }),
    ...(fix !== undefined && { fix }),
    ...(pattern !== undefined && { pattern }),
    ...(key !== undefined && { key }),
  }
}
