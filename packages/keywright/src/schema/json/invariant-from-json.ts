import { jsonFormType } from "../../errors/json-form.ts"
import { id } from "../codec/id.ts"
import { inverse, refersTo, sameIds, type Invariant } from "../invariant.ts"
import * as read from "./read.ts"
import type { At } from "./read.ts"

const fields = {
  same: ["id", "keys", "truth"],
  reference: ["id", "from", "to"],
  inverse: ["keys", "truth"],
} as const

export function readInvariant(at: At): Invariant {
  const kind = read.word(read.need(read.fields(at), "kind", at), ["same", "reference", "inverse"])
  const from = read.fields(at, ["kind", "doc", ...fields[kind]])
  const need = (name: string) => read.text(read.need(from, name, at))
  const options = read.present(from, { truth: read.text, doc: read.text }) as { truth?: string; doc?: string }
  if (kind === "reference") return refersTo(id(need("id")), need("from"), need("to"), options)
  const keys = read.texts(read.need(from, "keys", at))
  if (keys.length < 2 || (kind === "inverse" && keys.length > 2))
    throw jsonFormType(`${at.path}.keys`, "two names", keys)
  const [one, other] = keys as [string, string]
  return kind === "same" ? sameIds(id(need("id")), keys as [string, string], options) : inverse(one, other, options)
}
