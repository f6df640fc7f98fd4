/* An error as data, for code that prints it or answers with it. */

import { defined } from "./defined.ts"
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

export function errorReport({ code, message, why, fix, pattern, key }: KeywrightError): ErrorReport {
  return {
    code,
    message,
    ...defined({ why, fix, pattern, key }),
  }
}
