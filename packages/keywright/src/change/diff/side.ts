/* One of the two schemas, made ready for comparing: its entries by name, groups resolved. */

import { drainKeyNames } from "../../schema/drain.ts"
import type { Entity } from "../../schema/entity.ts"
import { entitiesIn } from "../../schema/entity-at.ts"
import type { EntryForm, KeyspaceForm } from "../../schema/json/form.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { reservedFields } from "../../schema/reserved-fields.ts"

export interface SchemaSide {
  readonly form: KeyspaceForm
  readonly keyspace: Keyspace
  /** Without the keys that drains have for themselves. */
  readonly entries: ReadonlyMap<string, SideEntry>
  readonly reserved: readonly string[]
}

export interface SideEntry {
  /** `"service.status"` */
  readonly path: string
  /** The key; for an entity, the key of its records. */
  readonly key: Key
  /** The other keys of an entity, by what follows the `#` in their names. */
  readonly others: ReadonlyMap<string, Key>
  readonly entity?: Entity
  /** What it was called before. */
  readonly was: readonly string[]
  /** Names of fields that must not be used again. */
  readonly reserved: readonly string[]
}

export function sideOf(form: KeyspaceForm): SchemaSide {
  const keyspace = fromJson(form)
  const before = new Map(namesBefore(form.entries, "", undefined))
  const entities = new Map(entitiesIn(keyspace.entries))
  const entries = new Map<string, SideEntry>()
  const ofDrains = new Set(
    Object.entries(form.drains ?? {}).flatMap(([name, drain]) => Object.values(drainKeyNames(name, drain))),
  )
  for (const key of keyspace.keys) {
    const path = key.entity?.name ?? key.name
    if (key.name !== path || ofDrains.has(path)) continue
    const own = keyspace.keys.filter(({ entity, name }) => entity?.name === path && name !== path)
    const entity = entities.get(path)
    entries.set(path, {
      path,
      key,
      others: new Map(own.map((one) => [one.name.slice(path.length + 1), one])),
      ...(entity && { entity }),
      was: before.get(path) ?? [],
      reserved: reservedFields(key, keyspace),
    })
  }
  return { form, keyspace, entries, reserved: keyspace.reserved ?? [] }
}

/** The names that entries had before: their own note, or that of a group around them. */
function* namesBefore(
  entries: KeyspaceForm["entries"],
  path: string,
  groupWas: string | undefined,
): Generator<[path: string, was: readonly string[]]> {
  for (const [name, entry] of Object.entries(entries)) {
    const here = path === "" ? name : `${path}.${name}`
    const own = wasOf(entry)
    const inherited = groupWas === undefined ? [] : [`${groupWas}.${name}`]
    if ("group" in entry) yield* namesBefore(entry.entries, here, own[0] ?? inherited[0])
    else yield [here, own.length > 0 ? own : inherited]
  }
}

const wasOf = ({ was = [] }: EntryForm): readonly string[] => [was].flat()
