import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "@keywright/embedded"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { runProgram } from "../../../../test/child-program.ts"
import { embeddedDriver } from "../driver/embedded.ts"
import type { Driver } from "../driver/driver.ts"
import { exportKeys } from "./copy/export-keys.ts"
import { fileSink } from "./copy/export-sink.ts"
import { savePlan } from "./make-plan/plan-file.ts"
import { replaceText } from "./private-file.ts"

const folder = mkdtempSync(join(tmpdir(), "keywright-files-"))
const [place, victim] = [join(folder, "place"), join(folder, "victim")]
const modeOf = (path: string) => statSync(path).mode & 0o777
let driver: Driver
let stop = async () => {}

beforeAll(async () => {
  const engine = await start()
  driver = embeddedDriver(engine)
  stop = async () => {
    await driver.close()
    await engine.stop()
  }
  await driver.send(["SET", "password", "hunter2"])
})
afterAll(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  writeFileSync(victim, "untouched")
})

const plan = { format: "keywright-plan", version: 1, made: "", server: "", schema: { fingerprint: "" } } as const
const writers = [
  ["a plan", (path: string) => savePlan({ ...plan, actions: [], left: {} }, path)],
  ["an export", (path: string) => exportKeys(undefined, driver, { file: path })],
  ["notes", (path: string) => replaceText(path, "note")],
] as const

it.each(writers)("%s in a place that there is not is refused with a code", async (_, write) => {
  for (const path of [join(folder, "nowhere", "x"), join(victim, "x"), join(folder, "x".repeat(300))])
    await expect((async () => write(path))()).rejects.toMatchObject({ code: "FILE.UNWRITABLE" })
  expect(readFileSync(victim, "utf8")).toBe("untouched")
})

it.each(writers)("%s over a file that all may read is readable by its owner alone", async (_, write) => {
  writeFileSync(place, "before")
  chmodSync(place, 0o644)
  await write(place)
  expect(modeOf(place)).toBe(0o600)
  expect(readFileSync(place, "utf8")).not.toContain("before")
  expect(existsSync(`${place}.part`)).toBe(false)
})

it.each(writers)("%s follows no link, neither in its place nor beside it", async (_, write) => {
  for (const name of [place, `${place}.part`, `${place}.progress`]) symlinkSync(victim, name)
  await write(place)
  expect(readFileSync(victim, "utf8")).toBe("untouched")
  expect(lstatSync(place).isFile()).toBe(true)
  expect(modeOf(place)).toBe(0o600)
})

it.each(writers)("%s does not take the place of a folder", async (_, write) => {
  mkdirSync(place)
  await expect((async () => write(place))()).rejects.toMatchObject({ code: "CHANGE.FILE" })
})

it("an export that is continued is not continued in a link", async () => {
  symlinkSync(victim, `${place}.part`)
  await exportKeys(undefined, driver, { file: place })
  expect(readFileSync(victim, "utf8")).toBe("untouched")
})

it("of two exports into one file, the first one says that the other has begun to write it", async () => {
  const tallies = { keys: 0, leftOut: 0, unreadable: 0, patterns: {} }
  for (const saved of [false, true]) {
    const first = await fileSink(place, "stamp")
    await first.write("first\n")
    if (saved) first.save(() => ({ resume: "7", tallies }))
    const second = await fileSink(place, saved ? "stamp" : "other")
    expect(second.from?.resume).toBe(saved ? "7" : undefined)
    await first.write("more of the first\n")
    await second.write("second\n")
    expect(() => first.finish()).toThrow(expect.objectContaining({ code: "CHANGE.FILE" }))
    second.finish()
    expect(readFileSync(place, "utf8")).toBe(saved ? "first\nsecond\n" : "second\n")
    first.close()
    second.close()
  }
})

it("of several who write one file, each writes all of it, and what is read is complete", async () => {
  const script = `
    import { readFileSync } from "node:fs"
    import { createJiti } from "jiti"
    const { replaceText } = await createJiti(process.cwd()).import(${JSON.stringify(fileURLToPath(new URL("private-file.ts", import.meta.url)))})
    const [place, who] = process.argv.slice(1)
    const text = who.repeat(100_000)
    for (let i = 0; i < 100; i++) {
      replaceText(place, text)
      const found = readFileSync(place, "utf8")
      if (found !== found[0].repeat(100_000)) throw new Error("not complete")
    }`
  const programs = ["a", "b", "c", "d"].map((who) => runProgram(script, [place, who]))
  for (const { ended, errors } of programs) expect([await ended, errors()]).toEqual([0, ""])
  expect(readdirSync(folder).sort()).toEqual(["place", "victim"])
})

it("an export is not continued in a file that others may read, nor where others' notes say", async () => {
  const begun = await fileSink(place, "stamp")
  await begun.write("begun\n")
  const tallies = { keys: 1, leftOut: 0, unreadable: 0, patterns: { "a:{n}": { keys: 1, digest: "0123456789abcdef" } } }
  begun.save(() => ({ resume: "7", tallies }))
  begun.close()
  const continued = async () => {
    const sink = await fileSink(place, "stamp")
    sink.close()
    return sink.from?.resume
  }
  expect(await continued()).toBe("7")
  const notes = JSON.parse(readFileSync(`${place}.progress`, "utf8")) as object
  for (const wrong of [
    { offset: 7 },
    { tallies: { ...tallies, keys: "x" } },
    { tallies: { patterns: {} } },
    ...[1, "x", null].map((digest) => ({ tallies: { ...tallies, patterns: { "a:{n}": { keys: 1, digest } } } })),
  ]) {
    writeFileSync(`${place}.progress`, JSON.stringify({ ...notes, ...wrong }))
    expect(await continued(), JSON.stringify(wrong)).toBeUndefined()
    writeFileSync(`${place}.part`, "begun\n", { mode: 0o600 })
  }
  writeFileSync(`${place}.progress`, JSON.stringify(notes))
  expect(await continued()).toBe("7")
  chmodSync(`${place}.part`, 0o644)
  await expect(continued()).rejects.toMatchObject({ code: "CHANGE.FILE" })
  chmodSync(`${place}.part`, 0o600)
  chmodSync(`${place}.progress`, 0o666)
  expect(await continued()).toBeUndefined()
})

it("an export goes to a pipe, and leaves it there", async () => {
  execFileSync("mkfifo", [place])
  // Opening a pipe waits for the other side, so that has to be another process.
  const reader = spawn("cat", [place])
  let text = ""
  reader.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()))
  await exportKeys(undefined, driver, { file: place })
  await once(reader, "close")
  expect(text).toContain("hunter2")
  expect(lstatSync(place).isFIFO()).toBe(true)
})

it.runIf(process.getuid?.() === 0)(
  "an export does not go to a pipe of somebody else's, nor by a link to one",
  async () => {
    const shared = `/dev/shm/keywright-${process.pid}.pipe`
    for (const pipe of [`${place}.pipe`, ...(existsSync("/dev/shm") ? [shared] : [])]) {
      execFileSync("mkfifo", [pipe])
      chownSync(pipe, 12_345, 12_345)
      symlinkSync(pipe, place)
      for (const file of [place, pipe])
        await expect(exportKeys(undefined, driver, { file })).rejects.toMatchObject({ code: "CHANGE.FILE" })
      rmSync(place)
      rmSync(pipe)
    }
  },
)

it("devices are written to, and never replaced", async () => {
  await exportKeys(undefined, driver, { file: "/dev/null" })
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true)
  expect(() => savePlan({ ...plan, actions: [], left: {} }, "/dev/null")).toThrow(/not a file/)
})
