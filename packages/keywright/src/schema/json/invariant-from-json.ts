import { jsonFormType } from "../../errors/json-form.ts"
import { id } from "../codec/id.ts"
import { compare } from "../compare.ts"
import type { Duration } from "../duration.ts"
import { excludes } from "../excludes.ts"
import { inverse, refersTo, sameIds, type Comparison, type Invariant, type Where } from "../invariant.ts"
import { at as place, type At as PlaceAt } from "../place.ts"
import * as read from "./read.ts"
import type { AtPath } from "./read.ts"

const fields = {
  same: ["id", "keys", "truth"],
  reference: ["id", "from", "to"],
  inverse: ["keys", "truth"],
  exclusive: ["keys", "truth"],
  compare: ["left", "is", "right"],
} as const

const kinds = Object.keys(fields) as (keyof typeof fields)[]

export function readInvariant(at: AtPath): Invariant {
  const kind = read.word(read.need(read.fields(at), "kind", at), kinds)
  const from = read.fields(at, ["kind", "doc", "grace", ...fields[kind]])
  const need = (name: string) => read.need(from, name, at)
  const options = read.present(from, { truth: read.text, doc: read.text, grace: read.duration }) as {
    doc?: string
    grace?: Duration
  }
  if (kind === "reference")
    return refersTo(id(read.text(need("id"))), readWhere(need("from")), readTargets(need("to")), options)
  if (kind === "compare")
    return compare(readPlace(need("left")), read.text(need("is")) as Comparison, readRight(need("right")), options)
  const keys = read.texts(need("keys"))
  if (keys.length < 2 || (kind !== "same" && keys.length > 2)) throw jsonFormType(`${at.path}.keys`, "two names", keys)
  const [one, other] = keys as [string, string]
  if (kind === "same") return sameIds(id(read.text(need("id"))), keys as [string, string], options)
  return kind === "inverse" ? inverse(one, other, options) : excludes(one, other, options)
}

const readTargets = (at: AtPath): Where | Where[] =>
  Array.isArray(at.value) ? read.items(at).map(readWhere) : readWhere(at)

const readWhere = (at: AtPath): Where => (typeof at.value === "string" ? read.text(at) : readPlace(at))

const readRight = (at: AtPath): PlaceAt | number => (typeof at.value === "number" ? read.number(at) : readPlace(at))

function readPlace(at: AtPath): PlaceAt {
  const from = read.fields(at, ["key", "place", "otherwise"])
  const text = (name: string) => read.text(read.need(from, name, at))
  return place(text("key"), text("place"), read.present(from, { otherwise: textOrNumber }))
}

const textOrNumber = (at: AtPath): string | number => (typeof at.value === "number" ? read.number(at) : read.text(at))
