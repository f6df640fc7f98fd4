/* A keyspace in another place: under one hash tag, so that all of it is in one slot of a
 * cluster. Entries, steps and types stay as they are; only the names of keys change. */

import { withTagRefused } from "../errors/keyspace.ts"
import { oneOf } from "./codec/one-of.ts"
import { keyspace, type Keyspace } from "./keyspace.ts"

const TAG = /^[\w.-]{1,64}$/

/**
 * The same keyspace with a hash tag before every key: `cart:EB93` becomes `{acme}:cart:EB93`. So everything in it is in one
 * slot, and works on a cluster as it does on one server. One tag for each tenant spreads tenants over the nodes. Sharded
 * groups keep their shards: `{0h2}:acme:cart:EB93`.
 * @example
 * const acme = withTag(shop, "acme")
 * console.log(acme.keys[0]?.pattern.startsWith("{{tag}}:")) // → true
 */
export function withTag<K extends Keyspace>(given: K, tag: string): K {
  if (!TAG.test(tag)) throw withTagRefused(tag, "a tag has up to 64 letters, digits, _, . and -")
  if (given.prefix !== undefined) throw withTagRefused(tag, `the keyspace has a prefix already, "${given.prefix}"`)
  const { entries, keys: _, params, ...options } = given
  const own = { ...(params as object), tag: oneOf(tag) }
  return keyspace(entries as never, { ...options, params: own, prefix: "{{tag}}:" } as never) as unknown as K
}
