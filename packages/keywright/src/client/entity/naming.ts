/* WRONGTYPE does not say which key it is about: whoever asked for one key says it. */

import { WrongType } from "../../errors/outcome.ts"
import { type Declared, redactKey } from "../call/declared.ts"
import { explainedAs } from "../call/explained.ts"

/** What `reading` gives; when the key holds another type than its schema says, the error names it. */
export async function naming<T>(declared: Declared, key: string, reading: T | Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw named(declared, key, error)
  }
}

/** The error, with the key that it is about. */
export const named = (declared: Declared, key: string, error: unknown): unknown =>
  error instanceof WrongType && error.key === undefined
    ? explainedAs(error, declared.row.pattern, redactKey(declared, key))
    : error
