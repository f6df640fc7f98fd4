/* The JSON form of a keyspace: a mirror of its declaration, for teams in other
 * languages, for files and for the studio. keyspace.schema.json, published with
 * the package, says the same to editors and validators. */

import type { CodecSpec } from "../codec/codec-spec.ts"
import type { Kind, Notes } from "../define.ts"
import type { DrainOptions } from "../drain.ts"
import type { Entity, Index } from "../entity.ts"
import type { InvariantRule } from "../invariant.ts"
import type { RelationNotes } from "../relation.ts"

/** Where the JSON Schema of this form is published. */
export const formSchema = "https://unpkg.com/keywright/keyspace.schema.json"

type Specs = Readonly<Record<string, CodecSpec>>

/** `"10m"`, `"never"`, `{ sliding: "10m" }`, `{ fixed: "1m" }`, `{ either: ["30s", "never"] }`, `{ upTo: "30d" }` */
export type TtlForm =
  | string
  | { readonly sliding: string }
  | { readonly fixed: string }
  | { readonly either: readonly string[] }
  | { readonly upTo: string }

export interface NotesForm extends Omit<Notes, "ttl"> {
  readonly ttl?: TtlForm
}

export interface DefForm extends NotesForm {
  readonly kind: Kind
  readonly pattern: string
  readonly params?: Specs
  /** Codecs by their place: `value`, `field`, `item`, `member`, `score`; `fields` are codecs by name. */
  readonly shape?: Readonly<Record<string, CodecSpec | Specs>>
  readonly keep?: number
}

export type IndexForm = Omit<Index, "fields">

export interface EntityForm
  extends NotesForm, Partial<Pick<Entity, "ids" | "counter" | "all" | "stamps" | "durability">> {
  readonly kind: "entity"
  readonly pattern: string
  readonly params?: Specs
  readonly store: { readonly as: "json"; readonly value: CodecSpec } | { readonly as: "hash"; readonly fields: Specs }
  readonly unique?: Readonly<Record<string, IndexForm>>
  readonly index?: Readonly<Record<string, IndexForm>>
  readonly quoted?: boolean
}

export interface GroupForm extends NotesForm {
  readonly group: "scope" | "database" | "family" | "sharded"
  /** For a sharded group: how many shards, and the parameter that decides. */
  readonly shards?: number
  readonly by?: string
  readonly checksumOf?: readonly string[]
  readonly startOf?: readonly string[]
  /** For a database: its number and name. */
  readonly db?: number
  readonly name?: string
  /** For a scope or family. */
  readonly prefix?: string
  /** For a family: the entry that says that it is loaded. */
  readonly marker?: string
  readonly params?: Specs
  readonly entries: Readonly<Record<string, EntryForm>>
}

export type EntryForm = DefForm | EntityForm | GroupForm

export type DrainForm = DrainOptions<string, string>

export interface RelationForm extends RelationNotes {
  readonly one?: string
  readonly many?: string
  readonly from?: string
  readonly by?: string
  readonly through?: string
  readonly inverse?: string
}

/**
 * A keyspace as JSON, as `toJson` writes it and `fromJson` reads it. `keyspace.schema.json` describes it.
 * @example
 * const form: KeyspaceForm = toJson(shop)
 */
export interface KeyspaceForm extends Pick<NotesForm, "doc" | "ttl" | "evictable" | "inferred" | "reserved"> {
  readonly $schema: string
  readonly version: 1
  readonly name?: string
  readonly prefix?: string
  readonly params?: Specs
  readonly entries: Readonly<Record<string, EntryForm>>
  readonly relations?: Readonly<Record<string, Readonly<Record<string, RelationForm>>>>
  readonly invariants?: readonly InvariantRule[]
  readonly drains?: Readonly<Record<string, DrainForm>>
}
