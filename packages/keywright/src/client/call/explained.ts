/* An error of a call on one key names the pattern and the key. */

import { defined } from "../../errors/defined.ts"
import { isKeywrightError, KeywrightError } from "../../errors/error.ts"

/** The error with the pattern and the key of its call. One error may end many calls: each gets its own copy. */
export function explainedAs(error: unknown, pattern: string, key: string): unknown {
  if (!isKeywrightError(error) || error.key === key) return error
  if (error.key === undefined) return Object.assign(error, { pattern, key })
  const { code, message, why, fix, details } = error
  const Class = error.constructor as new (...args: ConstructorParameters<typeof KeywrightError>) => KeywrightError
  return new Class(code, message, {
    ...defined({ why, fix, details }),
    pattern,
    key,
    cause: error,
  })
}
