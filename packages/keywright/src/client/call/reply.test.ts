import { expect, test } from "vitest"
import { asNumber, listOfAll, numberIn, numberOrNone } from "./reply.ts"

const refused = (read: () => unknown) => expect(read).toThrow(expect.objectContaining({ code: "DRIVER.REPLY" }))

test.each([
  ["0", 0],
  ["-12.5", -12.5],
  ["1.5e-7", 1.5e-7],
  [7, 7],
  [9007199254740993n, 2 ** 53],
  [Buffer.from("3"), 3],
])("%s is a number", (reply, number) => {
  expect(numberIn(reply)).toBe(number)
})

test.each(["", " 1", "1 ", "0x10", "nan", "inf", "1e400", "1,5", null, undefined, []])(
  "%s is not a number",
  (reply) => {
    refused(() => numberIn(reply))
  },
)

test("nothing is a number only where it stands for a write that is collected", () => {
  expect([asNumber(null), numberOrNone(null)]).toEqual([0, undefined])
})

test("a list has as many elements as were asked for", () => {
  expect(listOfAll([1, 2], [0, 1])).toEqual([0, 1])
  for (const reply of [[], [1], [1, 1, 1]]) refused(() => listOfAll([1, 2], reply))
})
