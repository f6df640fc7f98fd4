import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { Journal } from "./journal.ts"

const folder = mkdtempSync(join(tmpdir(), "keywright-journal-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const outcomes = (journal: Journal, count: number) => Array.from({ length: count }, (_, i) => journal.outcome(i))

it("knows again what was begun and what became of it, in whatever order it was done", () => {
  const path = join(folder, "order")
  const first = new Journal(8, path)
  first.begin([2, 0, 1])
  first.end([2, 0, 1], "012")
  first.begin([7, 4])
  first.end([7, 4], "31")
  first.begin([3])
  first.close()
  expect(readFileSync(path, "utf8").replaceAll(/ [\w-]{43}$/gm, "")).toBe(
    "plan \nb 0-2\ne 0-2 120\nb 7,4\ne 7,4 31\nb 3-3\n",
  )
  const again = new Journal(8, path)
  expect(outcomes(again, 8)).toEqual(["1", "2", "0", undefined, "1", undefined, undefined, "3"])
  expect([again.ended, ...again.begun]).toEqual([5, 3])
  again.close()
})

it("knows what was begun again after a crash, also after another one", () => {
  const path = join(folder, "again")
  const [first, second] = [new Journal(3, path), new Journal(3, path)]
  first.begin([0, 1])
  second.begin([0])
  second.end([0], "2")
  const third = new Journal(3, path)
  expect([...third.begunAgain]).toEqual([0])
  expect([...third.begun]).toEqual([1])
  for (const journal of [first, second, third]) journal.close()
})

it("continues behind the last whole line, when a crash cut one off", () => {
  const path = join(folder, "cut")
  const first = new Journal(4, path)
  first.begin([0, 1])
  first.close()
  appendFileSync(path, "e 0-1 1")
  const second = new Journal(4, path)
  expect(second.ended).toBe(0)
  second.begin([2, 3])
  second.end([2, 3], "11")
  second.close()
  const third = new Journal(4, path)
  expect(outcomes(third, 4)).toEqual([undefined, undefined, "1", "1"])
  expect([...third.begun]).toEqual([0, 1])
  third.close()
})

it("is not a folder, and says so", () => {
  const path = join(folder, "folder")
  mkdirSync(path)
  expect(() => new Journal(1, path)).toThrow(expect.objectContaining({ code: "CHANGE.FILE" }))
})
