import type { Key } from "./key.ts"
import type { Keyspace } from "./keyspace.ts"

/** Names of fields that may not come back. A key without such a note inherits the keyspace's, which is about entries. */
export const reservedFields = ({ reserved }: Key, keyspace: Keyspace): readonly string[] =>
  reserved === undefined || reserved === keyspace.reserved ? [] : reserved
