/* WRONGTYPE does not say which key it is about, so the code that asked for one key adds its name. */

import { WrongType } from "../../errors/outcome.ts"
import { type ReadyKey, redactKey } from "../call/ready-key.ts"
import { explainedAs } from "../call/explained.ts"

/** The result of `reading`; when the key's type is not the one in its schema, the error names the key. */
export async function naming<T>(ready: ReadyKey, key: string, reading: T | Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw withKeyNamed(ready, key, error)
  }
}

/** The error, with the key that it is about. */
export const withKeyNamed = (ready: ReadyKey, key: string, error: unknown): unknown =>
  error instanceof WrongType && error.key === undefined
    ? explainedAs(error, ready.declared.pattern, redactKey(ready, key))
    : error
