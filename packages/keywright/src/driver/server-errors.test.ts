import { describe, expect, test } from "vitest"
import { NotApplied, Refused, WrongType } from "../errors/outcome.ts"
import { passesByItself, serverError } from "./server-errors.ts"

describe("an error reply", () => {
  for (const [word, type, again] of [
    ["LOADING", NotApplied, true],
    ["TRYAGAIN", NotApplied, true],
    ["CLUSTERDOWN", NotApplied, true],
    ["BUSY", NotApplied, true],
    ["READONLY", NotApplied, false],
    ["OOM", NotApplied, false],
    ["MASTERDOWN", NotApplied, false],
    ["MISCONF", NotApplied, false],
    ["NOREPLICAS", NotApplied, false],
    ["MOVED", NotApplied, false],
    ["ASK", NotApplied, false],
    ["NOAUTH", Refused, false],
    ["WRONGPASS", Refused, false],
    ["NOPERM", Refused, false],
    ["NOPROTO", Refused, false],
    ["NOSCRIPT", Refused, false],
    ["EXECABORT", Refused, false],
    ["CROSSSLOT", Refused, false],
    ["WRONGTYPE", WrongType, false],
    ["ERR", Refused, false],
    ["NEVERHEARDOF", Refused, false],
  ] as const) {
    test(`${word} is ${type.name}${again ? ", and tried again" : ""}`, () => {
      const error = serverError(`${word} some text`)
      expect(error).toBeInstanceOf(type)
      expect(error.code).toBe(`SERVER.${word}`)
      expect(passesByItself(error)).toBe(again)
    })
  }

  test("of a script keeps its own code", () => {
    expect(serverError("INDEX.UNIQUE_TAKEN cart 123 has it")).toMatchObject({
      code: "INDEX.UNIQUE_TAKEN",
      name: "Refused",
    })
  })

  test("without a word in capitals is an ordinary error", () => {
    expect(serverError("something went wrong").code).toBe("SERVER.ERR")
    expect(serverError("").code).toBe("SERVER.ERR")
  })

  test("has a code of a bounded length", () => {
    expect(serverError(`${"A".repeat(60_000)} x`).code).toBe("SERVER.ERR")
  })

  test("shows no arguments of an unknown command, and is cut short", () => {
    const error = serverError("ERR unknown command 'NO', with args beginning with: 'hunter2' 'x' ")
    expect(error.message).toBe("ERR unknown command 'NO'")
    expect(serverError(`ERR ${"x".repeat(1000)}`).message.length).toBeLessThan(310)
  })
})
