/* One key: what it holds, and what it leads to. */

import type { InspectedKey } from "../../inspect/model/inspect-key.ts"
import type { RefusedRead } from "../../inspect/walk/refusal.ts"
import type { FindingRow } from "./audit.ts"
import type { Cell } from "./cell.ts"
import type { Edit } from "./edit.ts"
import type { KeyLink } from "./keys.ts"

export interface KeyCalls {
  "GET /api/systems/:system/key": { readonly query: KeyQuery; readonly answer: KeyDetail }
  "GET /api/systems/:system/elements": { readonly query: ElementsQuery; readonly answer: ElementsPage }
  "GET /api/systems/:system/bytes": { readonly query: BytesQuery; readonly answer: BytesSlice }
  "GET /api/systems/:system/related": { readonly query: RelatedQuery; readonly answer: RelatedPage }
  /** The same three with secrets shown: a deliberate act, 403 `STUDIO.REVEAL_OFF` with --no-reveal; it is noted in the log. */
  "POST /api/systems/:system/reveal": { readonly body: RevealBody; readonly answer: Revealed }
}

export interface KeyQuery {
  readonly db: number
  readonly ref: string
}

export interface KeyDetail extends KeyLink, Pick<InspectedKey, "bytes" | "encoding" | "length" | "unreadable"> {
  readonly system: string
  readonly pattern?: string
  readonly params: Readonly<Record<string, string>>
  readonly doc?: string
  /** `"none"` when there is no such key (any more). */
  readonly type: string
  readonly expectedType?: string
  readonly kind?: string
  /** Null for none, or where PTTL is among `unreadable`. */
  readonly ttlMs: number | null
  readonly ttlRule?: string
  /** When `ttlMs` was so, by the studio's clock. */
  readonly at: string
  /** For a string or counter: the value, cut at 64 kB (`/bytes` has the rest). Of others absent: see `elements`. */
  readonly value?: Cell
  /** For a JSON document or a hash with declared fields: each field, declared ones first. Hashes have at most 200 here. */
  readonly fields?: readonly FieldRow[]
  /** The first page of a collection's elements. */
  readonly elements?: ElementsPage
  readonly entity?: { readonly name: string; readonly role: string; readonly id?: string }
  readonly relations: readonly KeyRelation[]
  /** Audit findings about this key in the last audit. */
  readonly findings: readonly FindingRow[]
  /** Something in it is redacted. */
  readonly hidden: boolean
  /** Which edits are possible (with --write); the form is `SystemSchema.forms[name]`. */
  readonly edits: readonly Edit["op"][]
  /** What an edit hands back, so that it is refused when somebody else changed the value meanwhile. */
  readonly seen: string
}

export interface FieldRow {
  readonly name: string
  readonly value: Cell
  readonly type: string
  readonly declared: boolean
  /** Declared, and not there. */
  readonly missing: boolean
}

export interface ElementsQuery extends KeyQuery {
  readonly cursor?: string
  /** Default: 100; at most 1000. */
  readonly limit?: number
}

/** A table: for a zset `["member", "score"]`, for a list `["index", "item"]`, for a stream `["id", …fields]`. */
export interface ElementsPage {
  readonly columns: readonly string[]
  readonly rows: readonly {
    /** What an edit names this element by. */
    readonly element: string
    readonly cells: readonly Cell[]
  }[]
  readonly next: string | undefined
  readonly total: number
  /** False: as SCAN has them, in no order. */
  readonly ordered: boolean
}

export interface BytesQuery extends KeyQuery {
  readonly from: number
  /** At most 65536. */
  readonly count?: number
}

/** A part of a string as it is stored. */
export interface BytesSlice {
  readonly from: number
  readonly base64: string
  /** The same as text, when all of it is text. */
  readonly text?: string
  readonly bytes: number
  readonly next: number | undefined
}

/** Other keys that have to do with this one. */
export interface KeyRelation {
  /** `"role"`, `"orders"`, `"index email"`, `"record"`, `"all ids"`. */
  readonly name: string
  /** `to`: this one refers to them; `from`: they refer to this one; `index`: derived from it; `holds`: its ids; `same`: the same id elsewhere. */
  readonly how: "to" | "from" | "index" | "holds" | "same"
  /** The pattern of the related keys. */
  readonly target: string
  /** Null: the server does not tell. */
  readonly count: number | null
  /** The first of them. `exists: false`: it points at nothing; null: the server does not tell. */
  readonly links: readonly (KeyLink & { readonly exists: boolean | null })[]
  /** For `/related`, where there are more than `links`. */
  readonly next: string | undefined
  readonly doc?: string
  /** What the server refused to tell of the key that holds their ids. */
  readonly unreadable?: readonly RefusedRead[]
}

export interface RelatedQuery extends KeyQuery {
  /** `Relation.name` and `.how`. */
  readonly relation: string
  readonly how: KeyRelation["how"]
  readonly cursor: string
}

export interface RelatedPage {
  readonly links: KeyRelation["links"]
  readonly next: string | undefined
}

export interface RevealBody extends ElementsQuery, Partial<BytesQuery> {
  readonly db: number
  readonly ref: string
  /** What to show with its secrets: the key, a page of elements, or a part of the bytes. */
  readonly what: "key" | "elements" | "bytes"
}

export type Revealed =
  | { readonly key: KeyDetail }
  | { readonly elements: ElementsPage }
  | { readonly bytes: BytesSlice }
