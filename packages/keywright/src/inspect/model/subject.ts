/* What a check examines: a key, with what was read of it so far. A large collection is
 * read in several parts; the first one has `first` set. */

import type { Reply } from "../../driver/driver.ts"
import type { Document, EntityModel, ParamTexts } from "./entity-model.ts"
import type { KeyModel } from "./model.ts"

export interface Subject {
  readonly row: KeyModel
  readonly key: string
  readonly params: ParamTexts
  /** PTTL; of a key of a family, PEXPIRETIME. */
  readonly ttl: number
  /** Where the key keeps a limited number of elements: how many there are. */
  readonly length: number | undefined
  /** A string as its one element; pairs one after the other; entries of a stream as they come. */
  readonly elements: readonly Reply[]
  /** How many elements came before these. */
  readonly offset: number
  readonly first: boolean
  readonly last: boolean
  /** Elements that their codec does not read: other checks pass them over. Of pairs, the place of the first. */
  bad: Set<number> | undefined
  /** For a record: parsed when first asked for. */
  document: Document | undefined | "unread"
}

/** The document of a record; undefined when the value is not a document. */
export function documentOf(subject: Subject, entity: EntityModel): Document | undefined {
  if (subject.document === "unread") {
    subject.document = entity.document(
      entity.entity.store.as === "json" ? (subject.elements[0] ?? null) : subject.elements,
    )
  }
  return subject.document
}

/** The parameters of the scopes around an entity. */
export function boundOf(entity: EntityModel, params: ParamTexts): ParamTexts {
  if (entity.bound.length === 0) return NONE
  return Object.fromEntries(entity.bound.map((name) => [name, params[name]!]))
}

const NONE: ParamTexts = Object.freeze({})
