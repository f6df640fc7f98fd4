import { expect, it } from "vitest"
import * as z from "zod"
import { entity, json, string, text } from "../../../index.ts"
import { Collected, modelFor } from "./check.cases.ts"
import type { Inquiry } from "../inquiry.ts"
import { checkType } from "./type.ts"

const model = modelFor({
  a: string("a", text),
  user: entity("user:{id}", json(z.object({ id: z.string() })), { all: "users" }),
})

it.each<[key: string, name: string, type: string, string[]]>([
  ["a", "a", "string", []],
  ["a", "a", "none", []],
  ["a", "a", "list", ["KEY.TYPE a: string / list; destroying UNLINK a"]],
  ["users", "user.all", "list", ["KEY.TYPE users: set / list; UNLINK users"]],
])("%s (%s) of type %s", (key, name, type, found) => {
  const row = model.keys.get(name) ?? [...model.keys.values()].find((one) => one.declared.pattern === key)!
  const inquiry = new Collected(model, { [`TYPE ${key}`]: type })
  checkType(row, key, inquiry as unknown as Inquiry)
  expect(inquiry.held()).toEqual(found)
})
