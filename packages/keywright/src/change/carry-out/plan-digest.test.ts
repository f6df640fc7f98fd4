import { expect, it } from "vitest"
import type { Action } from "../plan/plan.ts"
import { actionsDigest } from "./plan-digest.ts"
import type { Word } from "../plan/word.ts"

const action = (commands: readonly (readonly Word[])[], undo: readonly (readonly Word[])[] = [], db = 0): Action =>
  ({ db, commands, undo }) as unknown as Action
const digest = (...actions: readonly Action[]) => actionsDigest(actions, [...actions.keys()])

it("is another one for whatever differs in words, commands, actions, undo or database", () => {
  const different = [
    [action([["SREM", "a", "1"]])],
    [action([["SREM", "a1", ""]])],
    [action([["SREM", "a"], ["1"]])],
    [action([["SREM", "a", { base64: "1" }]])],
    [action([["SREM", "a", "1"]], [], 1)],
    [action([["SREM", "a", "1"]]), action([])],
    [action([], [["SREM", "a", "1"]])],
    [action([["SREM", "a", "1"]], [["SADD", "a", "1"]])],
    [action([["SREM", "a", "1"]], [["SADD", "a", "2"]])],
    [action([["SREM", "a", "1"]], [["SADD", "b", "1"]])],
    [action([["SREM", "a", "1"]]), action([["SREM", "a", "2"]])],
    [action([["SREM", "a", "2"]]), action([["SREM", "a", "1"]])],
  ]
  expect(new Set(different.map((actions) => digest(...actions))).size).toBe(different.length)
})

it("is the same for a plan in memory and for the same plan, read from its file", () => {
  const word = { base64: "AQID" }
  const plan = [action([["SREM", word, word]], [["SADD", word, word]]), action([["SREM", "a", "1"]])]
  expect(digest(...(JSON.parse(JSON.stringify(plan)) as Action[]))).toBe(digest(...plan))
})

it("tells a word that spells numbers from these numbers", () => {
  const numbers = [action([], [["x"]]), action([], [[""], []], 9)]
  const word = [action([[`x${"\0".repeat(8)}`]], [], 1), action([[]], [], 2)]
  expect(digest(...numbers)).not.toBe(digest(...word))
})
