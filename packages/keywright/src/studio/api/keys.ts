/* Lists of keys. */

import type { RefusedRead } from "../../inspect/walk/refusal.ts"
import type { Cell } from "./cell.ts"

export interface KeysCalls {
  "GET /api/systems/:system/keys": { readonly query: KeysQuery; readonly answer: KeysPage }
  "GET /api/systems/:system/complete": { readonly query: CompleteQuery; readonly answer: Completion }
}

/** Where a click leads. */
export interface KeyLink {
  readonly db: number
  readonly ref: string
  /** For people: secrets redacted. */
  readonly key: string
  /** The pattern's name, as `pattern=` takes it; undefined for keys that no pattern owns. */
  readonly name?: string
}

export interface KeysQuery {
  /** A pattern's name; see `PatternOverview.name`. */
  readonly pattern: string
  /** Default: 50; at most 500. */
  readonly limit?: number
  /** `KeysPage.next` of the page before. */
  readonly cursor?: string
  /** `p.<parameter>=text`: only keys with these texts there; with `*` at the end, those that begin so. */
  readonly [param: `p.${string}`]: string
  /** Only records that this index leads to; not together with `p.`. */
  readonly index?: string
  /** The highest first, where the index has an order. */
  readonly descending?: "1"
  /** `x.<parameter>=text`: those of the index. */
  readonly [param: `x.${string}`]: string
}

/** A page may hold fewer keys than were asked for, even none, and still have a next one: a filter that fits few keys. */
export interface KeysPage {
  /** What `KeyRow.cells` are; none where values are only previewed. */
  readonly columns: readonly GridColumn[]
  readonly keys: readonly KeyRow[]
  /** Undefined at the end. */
  readonly next: string | undefined
  /** All keys of the pattern, unfiltered, as the last scan counted them; undefined before it has. */
  readonly total: number | undefined
  /** True while the first scan is running: there may be more keys than can be listed now. */
  readonly partial: boolean
}

/** A declared field, or the one value of a plain key. */
export interface GridColumn {
  readonly name: string
  readonly type: string
  readonly secret: boolean
}

export interface KeyRow extends KeyLink {
  /** Texts of the parameters, `"…"` where secret. */
  readonly params: Readonly<Record<string, string>>
  readonly type: string
  /** Milliseconds; null for none. */
  readonly ttlMs: number | null
  readonly bytes: number | null
  /** As `KeysPage.columns`: absent where the value is too long, or not as declared. */
  readonly cells?: readonly Cell[]
  /** A short look at the value where there are no cells: redacted, one line. */
  readonly preview?: string
  /** What the server refused to show of it: a null, or no value, does not mean then that there is none. */
  readonly unreadable?: readonly RefusedRead[]
}

export interface CompleteQuery {
  readonly pattern: string
  readonly param: string
  /** What has been typed. */
  readonly prefix?: string
  readonly limit?: number
  /** Parameters that are known already narrow it down. */
  readonly [param: `p.${string}`]: string
}

export interface Completion {
  /** Empty for secret parameters. */
  readonly values: readonly string[]
  readonly more: boolean
}
