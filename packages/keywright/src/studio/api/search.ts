/* Everything by a word. */

import type { KeyLink } from "./keys.ts"

export interface SearchCalls {
  "GET /api/search": { readonly query: SearchQuery; readonly answer: SearchAnswer }
}

export interface SearchQuery {
  readonly q: string
  /** Only in this one. */
  readonly system?: string
  /** Default: 30; at most 100. */
  readonly limit?: number
}

export interface SearchAnswer {
  /** The best first. */
  readonly hits: readonly SearchHit[]
}

export type SearchHit =
  | {
      readonly what: "pattern"
      readonly system: string
      readonly name: string
      readonly pattern: string
      readonly db: number
      readonly type: string
      readonly text?: string
    }
  | { readonly what: "entity"; readonly system: string; readonly name: string; readonly text?: string }
  /** A field or parameter of a pattern. */
  | {
      readonly what: "field"
      readonly system: string
      readonly name: string
      readonly pattern: string
      readonly field: string
      readonly type: string
    }
  /** A key that exists: spelled exactly, or an id of an entity. */
  | { readonly what: "key"; readonly system: string; readonly link: KeyLink; readonly type: string }
  | { readonly what: "finding"; readonly code: string; readonly text: string }
