import { expect, it } from "vitest"
import { day, id, int, secret, string, text } from "../../../index.ts"
import { modelFor, suspicionsOf } from "./check.cases.ts"
import { paramsCheck } from "./params.ts"

const model = modelFor({
  a: string("a:{n}:{day}:{x}", text, { params: { n: int, day } }),
  s: string("s:{token}", text, { params: { token: secret(id("token", { matching: /[a-z]+/ })) } }),
})

it.each<[key: string, exists: number, string[]]>([
  ["a:7:2026-01-31:any", 1, []],
  ["a:x:2026-01-31:any", 1, ['KEY.SEGMENT a:x:2026-01-31:any: n: int / "x"; destroying UNLINK a:x:2026-01-31:any']],
  ["a:x:2026-01-31:any", 0, []],
  [
    "a:7:2026-02-30:any",
    1,
    ['KEY.SEGMENT a:7:2026-02-30:any: day: day (YYYY-MM-DD) / "2026-02-30"; destroying UNLINK a:7:2026-02-30:any'],
  ],
  ["s:17", 1, ["KEY.SEGMENT s:17: token: token id / something else; destroying UNLINK s:17"]],
])("%s, which exists: %i", (key, exists, found) => {
  expect(suspicionsOf(model, paramsCheck, key, {}, { [`EXISTS ${key}`]: exists })).toEqual(found)
})
