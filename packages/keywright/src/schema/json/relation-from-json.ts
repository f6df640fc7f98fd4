import { jsonFormType } from "../../errors/json-form.ts"
import type { RelationForm } from "./form.ts"
import * as read from "./read.ts"
import type { AtPath } from "./read.ts"

/** The four forms of a relation, as their fields beside the notes. */
const forms = ["one from", "one from inverse", "one by", "many by", "many through"]

export function readRelation(at: AtPath): RelationForm {
  const names = ["one", "many", "from", "by", "through", "inverse"] as const
  const from = read.fields(at, [...names, "doc", "mayDangle"])
  const form = names.filter((name) => from.has(name)).join(" ")
  if (!forms.includes(form)) throw jsonFormType(at.path, `a relation with ${forms.join(", or ")}`, form)
  return Object.fromEntries([...from].map(([name, of]) => [name, name === "mayDangle" ? read.flag(of) : read.text(of)]))
}
