/* What audit finds and what infer reports, put so that they can be compared: by reason,
 * database and pattern, how many keys. */

import type { Finding } from "../audit/finding.ts"
import { showWire } from "../walk/wire.ts"
import type { Inference } from "./infer.ts"

const REASONS: Readonly<Record<string, string>> = {
  "KEY.UNKNOWN": "no pattern",
  "KEY.TYPE": "another type",
  "KEY.SEGMENT": "a segment that does not fit",
}

export function found(findings: readonly Finding[]): Record<string, number> {
  const keys = new Map<string, Set<string>>()
  for (const finding of findings) {
    const { code, db, pattern, found: type, target } = finding
    const reason = pattern === "{bytes}" ? "not text" : isMisnamed(finding) ? MISNAMED : (REASONS[code] ?? code)
    const name = `${reason} | ${db} | ${pattern}${code === "KEY.TYPE" ? ` | ${type}` : ""}`
    keys.set(name, (keys.get(name) ?? new Set()).add(showWire(target.key)))
  }
  return Object.fromEntries([...keys].map(([name, own]) => [name, own.size]))
}

const MISNAMED = "a field that is not text"

/** The bytes of such a field are shown as `\\xff`, or were not to be read as text. */
const isMisnamed = ({ code, place, found: what }: Finding): boolean =>
  place !== undefined && "entry" in place
    ? code === "VALUE.UNDECODABLE" && /^the field .*(?:\ufffd|\\x)/su.test(what)
    : place !== undefined &&
      "field" in place &&
      /\\x[0-9a-f]{2}/.test(place.field) &&
      (code === "VALUE.FIELD_UNKNOWN" || what === "bytes that are not UTF-8")

export function reported({ unexplained, deviations = [] }: Inference): Record<string, number> {
  const keys: Record<string, number> = {}
  const add = (name: string, count: number) => (keys[name] = (keys[name] ?? 0) + count)
  for (const { reason, db, pattern, type, keys: count } of unexplained)
    add(`${reason} | ${db} | ${pattern}${reason === "another type" ? ` | ${type}` : ""}`, count)
  for (const { code, db, pattern, keys: count } of deviations) add(`${code} | ${db} | ${pattern}`, count)
  return keys
}

/** What only drift explains: between keys, never in one alone. */
export const isDrift = (code: string): boolean => !/^(?:KEY\.|VALUE\.|TTL\.(?!FAMILY))/.test(code)

/** What a server and its file must agree on. */
export const comparable = ({ form, unexplained, keys }: Inference): unknown => ({
  keys,
  form,
  unexplained: unexplained.map((one) => JSON.stringify(one)).sort(),
})
