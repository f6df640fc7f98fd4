import { expect, it } from "vitest"
import type { EntryForm, KeyspaceForm } from "../../../schema/json/form.ts"
import { withSharedParams } from "./shared-params.ts"

const [int, text] = [{ codec: "int" }, { codec: "text" }] as const
const entry = (pattern: string, params?: EntryForm["params"]): EntryForm =>
  ({ kind: "set", pattern, ...(params && { params }) }) as EntryForm
const shared = (entries: Record<string, EntryForm>) => {
  const { params, entries: left } = withSharedParams({ entries } as unknown as KeyspaceForm)
  return [params ?? {}, Object.values(left).map((one) => one.params ?? {})]
}

it.each<[string, EntryForm[], unknown]>([
  ["said once where all agree", [entry("a:{u}", { u: int }), entry("b:{u}", { u: int })], [{ u: int }, [{}, {}]]],
  [
    "left where they differ",
    [entry("a:{u}", { u: int }), entry("b:{u}", { u: text })],
    [{}, [{ u: int }, { u: text }]],
  ],
  ["left where one says nothing", [entry("a:{u}", { u: int }), entry("b:{u}")], [{}, [{ u: int }, {}]]],
  ["left where it is an id of everybody", [entry("a:{id}", { id: int })], [{}, [{ id: int }]]],
])("a codec is %s", (_, entries, result) => {
  expect(shared(Object.fromEntries(entries.map((one, i) => [`e${i}`, one])))).toEqual(result)
})
