/* Edits, and the log of what was done. */

import type { JsonSchema } from "../../schema/codec/codec-spec.ts"
import type { KeyLink } from "./keys.ts"
import type { Failure } from "./session.ts"

export type { JsonSchema }

export interface EditCalls {
  /** What an edit would do: validated, nothing written. Also without --write. */
  "POST /api/systems/:system/edit/preview": { readonly body: Edit; readonly answer: EditPreview }
  /** Needs --write, and `confirm` that repeats the preview's. */
  "POST /api/systems/:system/edit": { readonly body: Edit & { readonly confirm: string }; readonly answer: EditDone }
  /** What was done in this session of the studio, the newest first. */
  "GET /api/log": { readonly answer: { readonly entries: readonly LogEntry[] } }
}

/** What a form asks for. */
export interface EditForm {
  readonly name: string
  /** Creating is possible: records of entities and plain keys; not indexes, counters of ids and the like. */
  readonly create: boolean
  /** Parameters of the key; the id of an entity that counts its ids is not asked for. */
  readonly params: readonly FormField[]
  /** Fields of a record, or one element of a collection (`member`, `score`), or `value`. */
  readonly fields: readonly FormField[]
  /** `record`: fields of one document or hash. `value`: one value. `element`: one element of a collection. */
  readonly shape: "record" | "value" | "element"
  /** The writer chooses the TTL among these (milliseconds, or null for none). */
  readonly ttls?: readonly (number | null)[]
}

export interface FormField {
  readonly name: string
  readonly type: string
  readonly optional: boolean
  readonly secret: boolean
  readonly doc?: string
  /**
   * `json`: a JSON value goes into the request (`true`, `3`, `["a"]`, `"text"`). `text`: a string, spelled as it is stored
   * in Redis; the codec reads it.
   */
  readonly as: "json" | "text"
  readonly input: "text" | "multiline" | "number" | "boolean" | "choice" | "json"
  readonly choices?: readonly string[]
  /** For JSON fields. */
  readonly schema?: JsonSchema
}

/** What is to be done; `seen` is `KeyDetail.seen`. */
export type Edit =
  /** A record, a plain value, or a collection with its first element. */
  | {
      readonly op: "create"
      readonly pattern: string
      readonly params: Readonly<Record<string, string>>
      readonly fields: Readonly<Record<string, unknown>>
      readonly ttlMs?: number | null
    }
  /** Fields of a record; null in `fields` removes an optional one. Plain values: `{ value }`. */
  | {
      readonly op: "change"
      readonly db: number
      readonly ref: string
      readonly seen: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  /** An element of a collection: added, or put in the place of `element`. */
  | {
      readonly op: "put"
      readonly db: number
      readonly ref: string
      readonly element?: string
      readonly fields: Readonly<Record<string, unknown>>
    }
  | { readonly op: "remove"; readonly db: number; readonly ref: string; readonly element: string }
  | { readonly op: "delete"; readonly db: number; readonly ref: string; readonly seen: string }

export interface EditPreview {
  /** In words: `"change cart:42: total"`. */
  readonly text: string
  /** What the edit's `confirm` has to repeat, and the person should see: the key. */
  readonly confirm: string
  /** The commands that would be sent, secrets hidden. */
  readonly commands: readonly string[]
}

export interface EditDone {
  readonly entry: LogEntry
  /** The key as it is now; undefined when it is gone. */
  readonly link: KeyLink | undefined
}

export interface LogEntry {
  readonly at: string
  readonly system: string
  readonly what: Edit["op"] | "apply" | "reveal" | "console" | "save"
  /** In words, secrets hidden. */
  readonly text: string
  readonly ok: boolean
  readonly error?: Failure["error"]
  readonly link?: KeyLink
}
