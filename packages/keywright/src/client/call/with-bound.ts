/* What a group has bound stays: an object from outside the program, handed on as parameters, must not lead to the keys
 * of another tenant. Used wherever parameters of a call meet those that are bound. */

import { keyBoundParam } from "../../errors/key.ts"
import { spread } from "./spread.ts"

type Params = Readonly<Record<string, unknown>>

/** Both, and a refusal of a parameter that is bound to another value. */
export function withBound(bound: Params, params: Params, pattern: string): Params {
  let isBound = false
  for (const name in bound) {
    isBound = true
    const given = params[name]
    if (given !== undefined && given !== bound[name] && !isSameDate(given, bound[name]))
      throw keyBoundParam(pattern, name)
  }
  return isBound ? spread(params, bound) : params
}

const isSameDate = (given: unknown, bound: unknown): boolean =>
  given instanceof Date && bound instanceof Date && given.getTime() === bound.getTime()
