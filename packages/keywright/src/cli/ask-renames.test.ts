import { PassThrough } from "node:stream"
import { expect, test } from "vitest"
import { askRenames, canAsk } from "./ask-renames.ts"

const questions = [
  { before: "cart", after: "basket" },
  { before: "page", after: "sheet" },
  { before: "seen", after: "viewed\u001b[2J" },
]

/** Somebody who answers as soon as they are asked. */
async function answering(...answers: readonly (string | undefined)[]) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let printed = ""
  const left = [...answers]
  output.on("data", (text: Buffer) => {
    printed += text.toString()
    if (!printed.endsWith("[y/N] ") || left.length === 0) return
    const answer = left.shift()
    if (answer === undefined) input.end()
    else input.write(`${answer}\n`)
  })
  return { renames: await askRenames(questions, { input, output }), printed }
}

test("yes is a rename; no, nothing and anything else is not", async () => {
  expect((await answering("y", "", "perhaps")).renames).toEqual({ cart: "basket" })
  expect((await answering("n", "YES", "yes")).renames).toEqual({ page: "sheet", seen: "viewed\u001b[2J" })
})

test("the end of the input answers no to all that is left", async () => {
  expect((await answering("y", undefined)).renames).toEqual({ cart: "basket" })
})

test("names are shown as text, whatever they hold", async () => {
  const { printed } = await answering("n", "n", "n")
  expect(printed).toContain("Was cart renamed to basket? [y/N] ")
  expect(printed).not.toContain("\u001b[2J")
})

test("nobody is asked where nobody can answer, or a program reads along", () => {
  const [there, away] = [{ isTTY: true } as never, {} as never]
  const at = (input: never, output: never, isForPrograms = false, ci?: string) =>
    canAsk({ input, output }, { isForPrograms, ci })
  expect(at(there, there)).toBe(true)
  expect(at(there, there, false, "false")).toBe(true)
  expect([at(away, there), at(there, away), at(there, there, true), at(there, there, false, "true")]).toEqual([
    false,
    false,
    false,
    false,
  ])
})
