/* A value as the page gets it: decoded, and as it is stored. */

import type { KeyLink } from "./keys.ts"

/** A value in a table: decoded, and as it is stored. */
export interface Cell {
  /** Absent when the codec does not read it, and for undeclared values: then only `raw` is there. */
  readonly decoded?: Shown
  /** Why it could not be decoded. */
  readonly error?: string
  /** Absent where it is secret. */
  readonly raw?: Raw
  readonly codec?: string
  readonly secret?: true
  /** What it refers to. */
  readonly link?: KeyLink
}

/** As stored: text, or base64 of bytes that are not text; cut where it is long. */
export interface Raw {
  readonly text?: string
  readonly base64?: string
  /** The size of the whole value. */
  readonly bytes: number
  readonly cut: boolean
}

/** JSON, where an object with `"~"` represents what JSON cannot express. */
export type Shown = null | boolean | number | string | readonly Shown[] | { readonly [field: string]: Shown } | Special

export type Special =
  | { readonly "~": "secret" }
  | { readonly "~": "bigint"; readonly text: string }
  /** Infinity, -Infinity, NaN, -0. */
  | { readonly "~": "number"; readonly text: string }
  | { readonly "~": "date"; readonly text: string }
  | { readonly "~": "bytes"; readonly base64: string; readonly bytes: number }
  | { readonly "~": "undefined" }
  /** An object that itself has a field `~`. */
  | { readonly "~": "object"; readonly entries: readonly (readonly [string, Shown])[] }
  /** More than is shown: of an array, an object or a text. */
  | { readonly "~": "more"; readonly count: number }
