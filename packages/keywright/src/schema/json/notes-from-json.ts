/* The notes of an entry, and above all its ttl. */

import type { Notes } from "../define.ts"
import { jsonFormType } from "../../errors/json-form.ts"
import type { Duration } from "../duration.ts"
import { either, fixed, sliding, ttlRule, type Ttl, upTo } from "../ttl.ts"
import * as read from "./read.ts"
import type { AtPath } from "./read.ts"

const readers = {
  doc: read.text,
  ttl: readTtl,
  deprecated: read.text,
  secret: readSecret,
  evictable: read.flag,
  when: read.text,
  writes: read.texts,
  reads: read.texts,
  was: (at: AtPath) => (Array.isArray(at.value) ? read.texts(at) : read.text(at)),
  reserved: read.texts,
  inferred: read.flag,
}

export const noteNames = Object.keys(readers)

/** Only the notes that are given. */
export const readNotes = (from: Map<string, AtPath>) => read.present(from, readers) as Notes

/** `"10m"`, `"never"`, `{ sliding }`, `{ fixed }`, `{ either }`, `{ upTo }` */
export function readTtl(at: AtPath): Ttl {
  return read.declared(at, () => {
    if (typeof at.value === "string") {
      ttlRule(at.value as Duration)
      return at.value as Duration
    }
    const from = read.fields(at, ["sliding", "fixed", "either", "upTo"])
    const [found, ...others] = from
    if (!found || others.length > 0) throw jsonFormType(at.path, "one of sliding, fixed, either and upTo", at.value)
    const [name, of] = found
    if (name === "either") return either(...(read.texts(of) as [Duration, Duration]))
    return (name === "sliding" ? sliding : name === "fixed" ? fixed : upTo)(read.text(of) as Duration)
  })
}

function readSecret(at: AtPath): true | string[] {
  if (at.value === false) throw jsonFormType(at.path, "true, or names of fields", at.value)
  return at.value === true ? true : read.texts(at)
}
