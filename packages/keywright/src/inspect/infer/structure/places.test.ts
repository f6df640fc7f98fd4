import { expect, it } from "vitest"
import { patternFrom, patternOfKeys } from "../mine/pattern.cases.ts"
import type { Pattern } from "../mine/pattern.ts"
import { times } from "../values/values.cases.ts"
import { fieldTexts, placeName, placesOf } from "./places.ts"

/** `"{0} user"`, `"member post"`: where ids may stand, and the word that names them. */
const shown = (pattern: Pattern) =>
  placesOf(pattern).map((place) => `${placeName(place).slice(`0 ${pattern.row.id} `.length)} ${place.hint ?? "-"}`)

const each = (values: readonly string[]) => values.map((value) => [value])
const three = each(["a1", "b2", "c3"])

it.each<[string, Pattern, string[]]>([
  ["parameters, named by the word before", patternFrom("users:{int}", "string", [["a b"]]), ["{0} user"]],
  ["members, named by the last word", patternFrom("{int}_liked_posts", "set", three), ["{0} -", "member post"]],
  ["items", patternFrom("jobs", "list", three), ["item job"]],
  [
    "fields and values of a map",
    patternFrom("names", "hash", [["7", "x1", "8", "x2", "9", "x3"]]),
    ["field -", "value -"],
  ],
  [
    "fields of records, and the record's own id by its key",
    patternFrom(
      "post:{int}",
      "hash",
      times(2, String).map((n) => ["id", n, "userId", `1${n}`, "title", `a b ${n}`]),
    ),
    ["{0} post", ".id post", ".userId user"],
  ],
  [
    "fields of documents",
    patternFrom(
      "post:{int}",
      "string",
      times(2, String).map((n) => [JSON.stringify({ author_name: `ann${n}` })]),
    ),
    ["{0} post", ".author_name author"],
  ],
  ["numbers that an index leads to", patternFrom("index:{word}", "string", each(["1", "2"])), ["{0} -", "value -"]],
  ["no counts", patternFrom("views:{word}", "string", each(["1", "2"])), ["{0} view"]],
  ["no days and addresses", patternFrom("dau:{day}:{ip}", "set", each(["2026-01-31"])), []],
  ["no moments", patternOfKeys("at:{int}", "string", [["at:1760000000", ["a b"]]]), []],
  ["no prose", patternFrom("notes", "set", each(["a b", "c d"])), []],
  ["no few words again and again", patternFrom("states", "list", [times(40, (i) => ["open", "done"][i % 2]!)]), []],
])("there may be %s", (_, pattern, places) => {
  expect(shown(pattern)).toEqual(places)
})

it.each<[string, boolean, Pattern]>([
  ["numbers", true, patternFrom("a", "set", each(["7"]))],
  ["texts", false, patternFrom("a", "set", each(["x7"]))],
])("%s are numbers: %s", (_, is, pattern) => {
  expect(placesOf(pattern).map(({ isInt }) => isInt)).toEqual([is])
})

it("takes a single number in a single record for a setting, unless it is called an id", () => {
  expect(shown(patternFrom("config", "hash", [["size_of", "7", "ownerId", "8"]]))).toEqual([".ownerId owner"])
})

it("says nothing of the documents in streams, which a file does not have", () => {
  const document = JSON.stringify({ id: 7, name: "x" })
  const texts = (type: string, elements: string[]) => fieldTexts(patternFrom("a:{int}", type, [elements])).length
  expect([texts("stream", ["2", "event", document]), texts("list", [document])]).toEqual([0, 2])
})
