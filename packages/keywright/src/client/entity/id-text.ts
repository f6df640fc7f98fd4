/* Ids as they are written in keys: checked by their codec, and so that none makes a key of another pattern. */

import { keyForbiddenCharacter } from "../../errors/key.ts"
import { text } from "../../schema/codec/text.ts"
import { forbidden } from "../../schema/locate.ts"
import { hasPlaceholder } from "../plan/placeholder.ts"
import type { Repository } from "./repository.ts"

type Ids = Pick<Repository, "entity" | "record" | "bound" | "isScoped" | "head" | "tail">

/** The text of an id as it is written in keys, from its value or from that text itself. */
export function idText(ids: Ids, id: unknown): string {
  const { record, entity, bound, isScoped, head, tail } = ids
  const { idField } = entity
  if (typeof id === "string" && hasPlaceholder(id)) return checkedPlaceholder(ids, id)
  const build = (value: unknown) => record.build(isScoped ? { [idField]: value, ...bound } : { [idField]: value })
  let key: string
  try {
    key = build(id)
  } catch (error) {
    const { [idField]: codec } = record.declared.params
    if (typeof id !== "string" || codec === undefined || codec === text) throw error
    const value = attempt(() => codec.decode(id))
    if (value === undefined || value === id) throw error
    key = build(value)
  }
  return key.slice(head.length, key.length - tail.length)
}

/** What is around a placeholder came from somewhere, and must not make it a key of another pattern. */
function checkedPlaceholder({ record, entity: { idField }, tail }: Ids, id: string): string {
  const { pattern, params } = record.declared
  const bad = forbidden(id, params[idField]?.allow) ?? (tail !== "" && id.includes(tail[0]!) ? tail[0] : undefined)
  if (bad !== undefined) throw keyForbiddenCharacter(pattern, idField, bad, record.secrets.has(idField))
  return id
}

/** The result of a function; undefined when it throws. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined // The caller reports its own error.
  }
}
