/* What a repository is made of: the keys of its entity, its store and its indexes. It depends on the
 * keyspace alone, so that it is made once for all repositories of an entity. */

import { text } from "../../schema/codec/text.ts"
import { entityAt } from "../../schema/entity-at.ts"
import { keyFormat } from "../../schema/key-format.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { longestLife } from "../../schema/ttl.ts"
import { onePer } from "../call/one-per.ts"
import { type Bound, type ReadyKey, redactKey } from "../call/ready-key.ts"
import { expiryKey } from "./expiry.ts"
import { bareIds, quotedIds } from "./id-form.ts"
import { indexKeysOf } from "./index-entries.ts"
import { recordStore } from "./record-store.ts"
import { aroundParam, SPLIT } from "./around-param.ts"
import { throughSets } from "./through-sets.ts"

/** What repositories are made from. */
export interface RepositoryContext {
  readonly keyspace: Keyspace
  readonly ready: ReadonlyMap<string, ReadyKey>
  /** The clock, for stamps. */
  readonly clock: () => Date
  /** Called when a record that expires is about to be written. */
  readonly noted?: () => void
}

/** What depends only on the keyspace, not on the lane. */
type Parts = ReturnType<typeof makeParts>

/** Cached by keyspace: every transaction has its own repositories, and there are many transactions. */
const partsOf = onePer<RepositoryContext["ready"], Map<string, Parts>>(() => new Map())

export function repositoryParts(context: RepositoryContext, name: string, cluster: boolean, bound: Bound): Parts {
  for (const _ in bound) return makeParts(context, name, cluster, bound)
  const ofKeyspace = partsOf(context.ready)
  const place = cluster ? `cluster ${name}` : name
  let parts = ofKeyspace.get(place)
  if (!parts) ofKeyspace.set(place, (parts = makeParts(context, name, cluster, bound)))
  return parts
}

function makeParts({ ready, keyspace }: RepositoryContext, name: string, cluster: boolean, given: Bound) {
  const entity = entityAt(keyspace.entries, name)!
  const record = ready.get(name)!
  const { pattern, params, ttl } = record.declared
  const bound = Object.fromEntries(
    Object.entries(given).filter(([param]) => param in params && param !== entity.idField),
  )
  const by = record.declared.sharded?.by
  const [head, tail] = aroundParam(record, entity.idField, bound)
  const { [entity.idField]: _id, ...around } = params
  const textsIn = (key: string) => {
    const { [entity.idField]: _split, ...texts } = keyFormat(pattern, { ...around, [entity.idField]: text }).locate(
      key,
    )!
    return texts
  }
  const counter = ready.get(`${name}#counter`)?.build(bound)
  const shown = (id: string) => redactKey(record, head + id + tail)
  return {
    entity,
    record,
    bound,
    named: by === undefined || given[by] === undefined ? bound : { ...bound, [by]: given[by] },
    isScoped: Object.keys(bound).length > 0,
    texts: new Map<string, string>(),
    store: recordStore(entity.store, record.declared, shown, Object.keys(given).length === 0),
    indexes: indexKeysOf(entity, name, ready),
    hasUnique: Object.keys(entity.unique).length > 0,
    head,
    tail,
    counter,
    counterShown: counter && redactKey(ready.get(`${name}#counter`)!, counter),
    list: ready.get(`${name}#all`)?.build(bound),
    form: entity.quoted ? quotedIds : bareIds,
    expiry: expiryKey(pattern, head, cluster),
    longestMs: longestLife(ttl),
    boundTexts: Object.keys(bound).length === 0 ? {} : textsIn(head + SPLIT + tail),
    through: throughSets(keyspace, ready, name, bound),
  }
}
