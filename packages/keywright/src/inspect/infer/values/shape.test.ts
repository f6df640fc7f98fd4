import { expect, it } from "vitest"
import { type ValueShape, shapeOf } from "./shape.ts"
import type { ReadValue } from "./values.ts"

it.each<[string, ReadValue["elements"], ValueShape, boolean?]>([
  ["string", ["17"], { shape: "string:int", atom: "int" }],
  ["string", ["1.5"], { shape: "string:float", atom: "float" }],
  ["string", ["hello"], { shape: "string:text", atom: "word" }],
  ["string", ["17"], { shape: "string:text" }, true],
  ["string", ['{"a":1,"b":2}'], { shape: "string:document", fields: ["a", "b"] }],
  ["string", ["[1]"], { shape: "string:json" }],
  ["hash", ["name", "x", "age", "1"], { shape: "hash", fields: ["name", "age"] }],
  ["hash", ["17", "x", "18", "1", "name", "y"], { shape: "hash:map" }],
  ["hash", ["name", "x"], { shape: "hash:map" }, true],
  ["set", ["queue:default", "mails"], { shape: "set", names: ["default", "mails"] }],
  ["set", ["17", "mails"], { shape: "set" }],
  ["zset", ["mails", "1", "default", "2"], { shape: "zset", names: ["mails", "default"] }],
  ["list", ['{"a":1}'], { shape: "list:document", fields: ["a"] }],
  ["list", [Uint8Array.of(255)], { shape: "list" }],
  ["stream", ["2", "a", "b"], { shape: "stream" }],
])("a %s of %j is %j", (type, elements, shape, cut = false) => {
  expect(shapeOf({ type, elements, cut })).toEqual(shape)
})
