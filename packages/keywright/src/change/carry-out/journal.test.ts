import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { Journal } from "./journal.ts"
import { placeOfState } from "../state-folder.ts"

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
  expect(readFileSync(path, "utf8").replaceAll(/ [\w-]{43}$/gm, "")).toMatch(
    /^plan {3}[0-9a-f]{32}\nb 0-2\ne 0-2 120\nb 7,4\ne 7,4 31\nb 3-3\n$/,
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

/** What opening it says, when it consists of these lines. */
const readAs = (path: string, lines: readonly string[]): string => {
  writeFileSync(path, `${lines.join("\n")}\n`)
  try {
    new Journal(9, path).close()
    return "accepted"
  } catch (error) {
    return (error as { code: string }).code
  }
}

it("is refused when a line is missing, doubled or in another place, also at its end", () => {
  const path = join(folder, "chain")
  for (let call = 0; call < 2; call++) {
    const journal = new Journal(9, path)
    for (const action of [0, 1]) {
      journal.begin([call * 2 + action])
      journal.end([call * 2 + action], "1")
    }
    journal.close()
  }
  const lines = readFileSync(path, "utf8").trimEnd().split("\n")
  expect(lines).toHaveLength(10)
  expect(readAs(path, lines)).toBe("accepted")
  for (let at = 0; at < lines.length; at++) {
    expect([at, readAs(path, lines.toSpliced(at, 1))]).toEqual([at, "CHANGE.JOURNAL"])
    expect([at, readAs(path, lines.toSpliced(at, 0, lines[at - 1] ?? lines[9]!))]).toEqual([at, "CHANGE.JOURNAL"])
    if (at > 0) expect([at, readAs(path, lines.slice(0, at))]).toEqual([at, "CHANGE.JOURNAL"])
    for (let other = 0; other < at; other++)
      expect(readAs(path, lines.with(at, lines[other]!).with(other, lines[at]!))).toBe("CHANGE.JOURNAL")
  }
  expect(readAs(path, lines)).toBe("accepted")
})

it("is refused when what the actions of a line do was changed, and not when others were", () => {
  const path = join(folder, "content")
  const does = ["SREM a 1", "SREM a 2", "SREM a 3"]
  const open = () => new Journal(3, path, { digestOf: (actions) => actions.map((i) => does[i]).join() })
  const first = open()
  first.begin([1, 0])
  first.end([1, 0], "12")
  first.close()
  does[2] = "SREM b 3"
  const again = open()
  expect(outcomes(again, 3)).toEqual(["2", "1", undefined])
  again.close()
  does[0] = "SREM b 1"
  expect(open).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL" }))
})

it("is accepted when two calls wrote it at the same time", () => {
  const path = join(folder, "both")
  new Journal(9, path).close()
  const both = [new Journal(9, path), new Journal(9, path)]
  for (const action of [0, 1, 2]) for (const [i, journal] of both.entries()) journal.begin([action * 2 + i])
  for (const journal of both) journal.close()
  const read = new Journal(9, path)
  expect([...read.begun]).toEqual([0, 1, 2, 3, 4, 5])
  read.close()
})

it("is refused on another server, unless any may be", () => {
  const path = join(folder, "server")
  const [here, there] = ["redis://127.0.0.1:6379/0", "redis://127.0.0.1:6379/1"]
  new Journal(1, path, { stamp: "x", server: here }).close()
  new Journal(1, path, { stamp: "x", server: "redis://localhost:6379/0 (own connection)" }).close()
  new Journal(1, path, { stamp: "x", server: there, anyServer: true }).close()
  expect(() => new Journal(1, path, { stamp: "x", server: there })).toThrow(
    expect.objectContaining({ code: "CHANGE.JOURNAL" }),
  )
})

it("is refused when others can write it", () => {
  const path = join(folder, "open")
  new Journal(1, path).close()
  chmodSync(path, 0o666)
  expect(() => new Journal(1, path)).toThrow(expect.objectContaining({ code: "CHANGE.FILE" }))
})

it("is not a folder, and says so", () => {
  const path = join(folder, "folder")
  mkdirSync(path)
  expect(() => new Journal(1, path)).toThrow(expect.objectContaining({ code: "CHANGE.FILE" }))
})

it("forgets journals that nobody has written to for two years, and no others", () => {
  const notes = join(placeOfState(), "journals")
  const made = (name: string, days: number): string => {
    const path = join(folder, name)
    const before = new Set(readdirSync(notes))
    const journal = new Journal(1, path)
    journal.begin([0])
    journal.close()
    const note = join(
      notes,
      readdirSync(notes).find((one) => !before.has(one))!,
    )
    const then = (Date.now() - days * 24 * 3600 * 1000) / 1000
    utimesSync(note, then, then)
    return note
  }
  const [old, recent] = [made("old", 731), made("recent", 729)]
  const other = join(notes, "not-a-journal")
  writeFileSync(other, "")
  utimesSync(other, 0, 0)
  const fresh = made("fresh", 0)
  expect([old, recent, other, fresh].map((path) => existsSync(path))).toEqual([false, true, true, true])
  rmSync(other)
  const again = new Journal(1, join(folder, "recent"))
  expect([...again.begun]).toEqual([0])
  again.close()
  expect(() => new Journal(1, join(folder, "old"))).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^CHANGE\./) }),
  )
})
