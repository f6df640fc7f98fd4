/* What a codec says when a value does not fit: one sentence form for all of them. */

import { SchemaError, type ErrorCode } from "./error.ts"

/** `CODEC.INT  expected an integer, found "12x"` */
export const codecRefused = (code: string, expected: string, found: unknown) =>
  new SchemaError(`CODEC.${code}` as ErrorCode, `expected ${expected}, found ${shown(found)}`)

/** A value in a message: short, and on one line. */
export const shown = (value: unknown): string =>
  typeof value === "string"
    ? JSON.stringify(value.slice(0, 60))
    : Object(value) === value
      ? typeof value
      : String(value)

/** `CODEC.NEEDS_JSON  messagePack() packs a document of json(…), found text` */
export const jsonNeeded = (packing: string, found: string) =>
  new SchemaError("CODEC.NEEDS_JSON", `${packing}() packs a document of json(…), found ${found}`, {
    fix: `Write ${packing}(json(schema)).`,
  })
