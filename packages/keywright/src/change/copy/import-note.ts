/* Which of the toolkit's own notes an export may bring: those that the toolkit itself could have written with this schema,
 * for no longer than it would have kept them. An honest export has no others. A forged one could make an operation that
 * is still to come look done, keep a job from running, make `diff` compare with a schema that nobody recorded, or have
 * `copy` delete what it would not touch if it had not been begun. */

import { EXPIRY } from "../../client/entity/expiry.ts"
import { keyspaceTooSlow } from "../../errors/keyspace.ts"
import { withinTime } from "../../files/within-time.ts"
import { fromMs } from "../../schema/duration.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import type { KeyspaceForm } from "../../schema/json/form.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { recordedSchemaKey } from "../../schema/toolkit-keys.ts"
import { longestLife } from "../../schema/ttl.ts"
import type { ValuePart } from "./key-value.ts"
import type { KeyLine } from "./lines.ts"

/** The clocks of two servers may differ by this. */
const CLOCKS_MS = 3_600_000

/** A recorded schema that is not the importer's: it says nothing about the data that is written, and stays behind. */
export const OTHER_SCHEMA = Symbol("a recorded schema that is not the importer's")

/** Why a note may not be imported, or stays behind; undefined when it is imported. */
export type NoteFault = string | typeof OTHER_SCHEMA | undefined

export function noteFault(
  keyspace: Keyspace,
  row: Key,
  key: string,
  line: Pick<KeyLine, "more" | "pexpireat">,
  part: ValuePart,
): NoteFault {
  // If a key takes several lines, the last one has the deadline.
  const fault = line.more === true ? undefined : lifeFault(row, line.pexpireat)
  if (row.name === "keywright.copy") return "it says that a copy to this server was begun"
  if (row.name === "keywright.schema") return fault ?? schemaFault(keyspace, key, part)
  if (row.name === "keywright.expiry" && !isOfEntity(keyspace, key)) return "the schema has no such entity"
  return fault
}

/** Why the toolkit itself would not have written a note with this deadline. */
export function lifeFault(row: Key, pexpireat: number | undefined): string | undefined {
  const longest = longestLife(row.ttl)
  if (longest === undefined) return pexpireat === undefined ? undefined : "Keywright does not let it expire"
  return pexpireat !== undefined && pexpireat <= Date.now() + longest + CLOCKS_MS
    ? undefined
    : `Keywright keeps it for up to ${fromMs(longest)}`
}

/**
 * A record of this schema says nothing that the importer does not know. Any other one is most likely of an earlier version,
 * as an honest export has it where the schema was changed and not recorded since.
 */
function schemaFault(keyspace: Keyspace, key: string, { elements }: ValuePart): NoteFault {
  if (key !== recordedSchemaKey(keyspace.name)) return "it records the schema of another keyspace"
  try {
    const form = JSON.parse(String(elements[0])) as KeyspaceForm
    const recorded = withinTime(() => fingerprint(fromJson(form)), keyspaceTooSlow)
    if (recorded === fingerprint(keyspace)) return undefined
  } catch {
    // What cannot be read is another schema, too.
  }
  return OTHER_SCHEMA
}

/** In a cluster, a hash tag comes before the pattern. */
const isOfEntity = (keyspace: Keyspace, key: string): boolean =>
  keyspace.keys.some(
    ({ entity, pattern }) =>
      entity?.role === "record" &&
      key.endsWith(pattern) &&
      /^(?:\{.*\}:)?$/s.test(key.slice(EXPIRY.length, key.length - pattern.length)),
  )
