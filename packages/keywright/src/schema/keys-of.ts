import { keyspaceEntry, keyspaceReference } from "../errors/keyspace.ts"
import type { Draft, Expandable, Inherited } from "./draft.ts"

/** What an entry, a step, a drain or a relation may be called. What has a then would be awaited as a promise, and never settle. */
const NAME = /^(?!then$)[a-z]\w*$/i

/** The keys of all entries of a group or of the keyspace, by their paths. */
export const keysOf = (entries: object, path: string, around: Inherited): Draft[] =>
  Object.entries(entries as Record<string, Expandable | undefined>).flatMap(([name, entry]) => {
    requireName(path, name)
    if (!entry?.["~keys"]) throw keyspaceEntry(path + name, "is not an entry")
    return entry["~keys"](entry as never, path + name, around)
  })

/** The key of this name, which `what` refers to. */
export function keyNamed<K extends { readonly name: string }>(keys: readonly K[], name: string, what: string): K {
  const found = keys.find((key) => key.name === name)
  if (found) return found
  const known = keys.map((key) => key.name)
  throw keyspaceReference(what, name, known)
}

/** For what is named beside the entries. */
export const requireName = (path: string, name: string): void => {
  if (!NAME.test(name)) throw keyspaceEntry(path + name, "is not a name")
}
