import { execFileSync } from "node:child_process"
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { readOpen, readText, writeText } from "./ordinary-file.ts"

const folder = mkdtempSync(join(tmpdir(), "keywright-files-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = (name: string): string => join(folder, name)
const refusal = (code: string) => expect.objectContaining({ code }) as Error

describe("a file", () => {
  it.each([0, 1, 4095, 1 << 20, (1 << 20) + 1, 3_000_001])("of %i bytes is read whole", (size) => {
    writeFileSync(place("whole"), "é".repeat(size / 2) + "x".repeat(size % 2))
    expect(Buffer.byteLength(readText(place("whole")))).toBe(size)
  })

  it("is read up to its limit", () => {
    writeFileSync(place("limit"), "12345678")
    expect(readText(place("limit"), 8)).toBe("12345678")
    expect(() => readText(place("limit"), 7)).toThrow(refusal("FILE.TOO_LARGE"))
    truncateSync(place("limit"), 2 ** 42) // With holes: it takes no room.
    expect(() => readText(place("limit"))).toThrow(refusal("FILE.TOO_LARGE"))
  })

  it("that does not tell its size is read up to its limit, too", () => {
    expect(() => readText("/proc/self/maps", 10)).toThrow(refusal("FILE.TOO_LARGE"))
    expect(readText("/proc/self/maps")).toContain("[stack]")
  })

  it("that is open is read from its beginning", () => {
    writeFileSync(place("open"), "again")
    const file = openSync(place("open"), "r")
    expect([readOpen(file, "it", 10), readOpen(file, "it", 10)]).toEqual(["again", "again"])
    closeSync(file)
  })

  it("that is missing is unreadable", () => {
    expect(() => readText(place("nowhere"))).toThrow(refusal("FILE.UNREADABLE"))
  })
})

it("a link leads to a pipe no more than a name does", () => {
  execFileSync("mkfifo", [place("pipe")])
  symlinkSync(place("pipe"), place("link"))
  expect(() => readText(place("link"))).toThrow(refusal("FILE.KIND"))
  expect(() => writeText(place("link"), "text")).toThrow(refusal("FILE.KIND"))
})

it("a text is written over a file, to a device and to no folder", () => {
  writeText(place("out"), "first, and longer")
  writeText(place("out"), "second")
  expect(readFileSync(place("out"), "utf8")).toBe("second")
  writeText("/dev/null", "text")
  expect(() => writeText(folder, "text")).toThrow(refusal("FILE.KIND"))
  expect(() => writeText(place("no/such/folder"), "text")).toThrow(refusal("FILE.UNWRITABLE"))
})

it.runIf(existsSync("/proc/self/fd"))("a text is written behind what a shell has sent to the same file before", () => {
  writeFileSync(place("log"), "before\n")
  const log = openSync(place("log"), "a")
  writeText(`/proc/self/fd/${log}`, "text")
  closeSync(log)
  expect(readFileSync(place("log"), "utf8")).toBe("before\ntext")
})

it("a text is not written through a link, wherever it leads", () => {
  writeFileSync(place("victim"), "precious")
  symlinkSync(place("victim"), place("to-file"))
  symlinkSync(place("nowhere"), place("to-nothing"))
  expect(() => writeText(place("to-file"), "text")).toThrow(refusal("FILE.KIND"))
  expect(() => writeText(place("to-nothing"), "text")).toThrow(refusal("FILE.KIND"))
  if (existsSync("/dev/shm")) {
    // A folder of /dev in which everybody may make links.
    const shared = mkdtempSync("/dev/shm/keywright-")
    symlinkSync(place("victim"), join(shared, "out"))
    expect(() => writeText(join(shared, "out"), "text")).toThrow(refusal("FILE.KIND"))
    rmSync(shared, { recursive: true })
  }
  expect(readFileSync(place("victim"), "utf8")).toBe("precious")
  expect(existsSync(place("nowhere"))).toBe(false)
})
