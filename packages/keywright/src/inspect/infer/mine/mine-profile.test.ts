import { expect, it } from "vitest"
import { areRecords, type Profile, profileOf, similar, within } from "./mine-profile.ts"
import { itemsOf } from "./pattern.cases.ts"

const profile = (keys: string[], shape?: string, fields?: string[]) =>
  profileOf(itemsOf(keys, shape, fields && { fields }), 0)

it.each<[string, string[], string, boolean, object]>([
  ["the rest of the key and the shape", ["a:x", "b:x"], "set", false, { ":x set": 2 }],
  ["no difference between numbers", ["a:7:x", "b:8:x"], "set", false, { ":{}:x set": 2 }],
  ["a difference between words", ["a:x", "a:y"], "set", false, { ":x set": 1, ":y set": 1 }],
  ["loosely, no difference between words", ["a:x", "a:y"], "set", true, { ":{} set": 2 }],
  ["what a hash tag holds as anything", ["a:{7}:x", "a:{u8}:x"], "set", false, { ":{}:x set": 2 }],
])("a profile has %s", (_, keys, shape, loose, ways) => {
  expect(Object.fromEntries(profileOf(itemsOf(keys, shape), 0, loose).ways)).toEqual(ways)
})

it("counts a whole number as a fraction, where there are fractions", () => {
  const items = [...itemsOf(["a:x", "b:x"], "string:int"), ...itemsOf(["c:x"], "string:float")]
  expect([...profileOf(items, 0).ways]).toEqual([[":x string:float", 3]])
  expect([...profileOf(items.slice(0, 2), 0).ways]).toEqual([[":x string:int", 2]])
})

it.each<[string, boolean, Profile, Profile]>([
  ["keys that go on alike", true, profile(["a:x", "a:y"]), profile(["b:x", "b:y"])],
  ["keys of which half go on alike", true, profile(["a:x", "a:y"]), profile(["b:x", "b:z"])],
  ["keys of which one of three goes on alike", false, profile(["a:x", "a:y", "a:w"]), profile(["b:x", "b:z", "b:v"])],
  ["keys that hold other things", false, profile(["a:x"], "set"), profile(["b:x"], "list")],
  [
    "records with nearly the same fields",
    true,
    profile(["a"], "hash", ["id", "name", "mail"]),
    profile(["b"], "hash", ["id", "name"]),
  ],
  ["records with other fields", false, profile(["a"], "hash", ["id", "name"]), profile(["b"], "hash", ["id", "price"])],
])("%s are similar: %s", (_, is, one, other) => {
  expect([similar(one, other), similar(other, one)]).toEqual([is, is])
})

it.each<[string, boolean, Profile]>([
  ["several of its ways and no other", true, profile(["b:x", "b:y"])],
  ["one of its ways", false, profile(["b:x"])],
  ["a way that is not there", false, profile(["b:x", "b:q"])],
])("what goes on in %s is within: %s", (_, is, other) => {
  expect(within(profile(["a:x", "a:y", "a:z"]), other)).toBe(is)
})

it.each<[string, boolean, Profile]>([
  ["hashes with two fields", true, profile(["a", "b"], "hash", ["id", "name"])],
  ["hashes with one field", false, profile(["a"], "hash", ["id"])],
  ["hashes of which the key goes on", false, profile(["a:x"], "hash", ["id", "name"])],
  ["texts", false, profile(["a"])],
])("%s are records: %s", (_, is, one) => {
  expect(areRecords(one)).toBe(is)
})
