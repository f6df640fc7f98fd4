import { keyspaceEntry } from "../errors/keyspace.ts"
import type { Draft, Expandable, Inherited } from "./draft.ts"

/** The keys of all entries of a group or of the keyspace, by their paths. */
export const keysOf = (entries: object, path: string, around: Inherited): Draft[] =>
  Object.entries(entries as Record<string, Expandable | undefined>).flatMap(([name, entry]) => {
    // A client with a then would be awaited as a promise, and never settle.
    if (!/^(?!then$)[a-z]\w*$/i.test(name) || !entry?.["~keys"]) throw keyspaceEntry(path + name)
    return entry["~keys"](entry as never, path + name, around)
  })
