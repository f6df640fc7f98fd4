/* Fields that bodies, paths and queries of all systems share. */

import * as z from "zod"

/** A text that a codec of the schema takes: the schema stays the one place that says what an id is. */
export const fieldOf = (codec: { readonly name: string; encode(value: string): unknown }) =>
  z.string().refine((value) => takes(codec, value), { error: `not a valid ${codec.name}` })

/** Whether a codec of the schema takes a value. */
export function takes<T>(codec: { encode(value: T): unknown }, value: T): boolean {
  try {
    codec.encode(value)
    return true
  } catch {
    return false // The codec has said why; the answer says which field.
  }
}

/** A whole number in a query: digits only, within bounds. */
export const wholeInQuery = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: "has to be a whole number" })
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback)
    .meta({ type: "integer", minimum: min, maximum: max, default: fallback })
