/* An undo writes only what the same plan replaced, when this user carried it out: neither a
 * plan nor a journal that somebody changed or invented gets anything else written. */

import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { execFileSync } from "node:child_process"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeEach, expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import { sha1 } from "../../driver/reply-digest.ts"
import { bistro as typed, fillBistro, openBistro } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair, doneOf, settleRepair, undoRepair } from "./carry-out.ts"
import type { Action, ChangePlan } from "../plan/plan.ts"
import { journalOf, loadPlan, savePlan, undoJournalOf } from "../make-plan/plan-file.ts"
import { planPurge } from "../make-plan/plan-purge.ts"
import { placeOfState } from "../state-folder.ts"
import { headDigest } from "./plan-digest.ts"
import type { Word } from "../plan/word.ts"

const bistro = typed as unknown as Keyspace
const folder = mkdtempSync(join(tmpdir(), "keywright-undo-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const state = process.env["KEYWRIGHT_STATE"]
afterEach(() => void (process.env["KEYWRIGHT_STATE"] = state))

let count = 0
const base64 = (bytes: unknown) => ({
  base64: Buffer.from(bytes as Uint8Array).toString("base64"),
})

onAnyServer("an undo", (server) => {
  let plan: ChangePlan
  let file = ""
  beforeEach(async () => {
    file = join(folder, `${process.pid}-${count++}.json`)
    const db = await openBistro(server().target)
    await fillBistro(db, 6)
    await db.$close()
    plan = await planPurge(bistro, server().driver, {
      only: ["dish"],
      match: "dish:3",
      undo: true,
    })
  })
  const send = (...command: Command) => server().driver.send(command)
  /** Everything that a server has, with its deadlines. */
  const everything = async () => {
    const keys = ((await send("KEYS", "*")) as string[]).sort()
    const rows = await Promise.all(
      keys.map(async (key) => [
        key,
        sha1((await server().driver.send(["DUMP", key], { bytes: true })) as Uint8Array),
        await send("PEXPIRETIME", key),
      ]),
    )
    return JSON.stringify(rows)
  }
  const dumpOf = async (document: string) => {
    await send("SET", "visits:forged", document)
    const dump = await server().driver.send(["DUMP", "visits:forged"], {
      bytes: true,
    })
    await send("DEL", "visits:forged")
    return dump as Uint8Array
  }
  const withAction = (change: (action: Action) => Partial<Action>): ChangePlan => ({
    ...plan,
    actions: [{ ...plan.actions[0]!, ...change(plan.actions[0]!) }],
  })
  const withUndo = (name: string, change: (words: readonly Word[]) => readonly Word[]): ChangePlan =>
    withAction(({ undo }) => ({
      undo: undo.map((words) => (words[0] === name ? change(words) : words)),
    }))
  /** As `--undo` does it, or the code of why not. */
  const undo = async (other: ChangePlan) => {
    savePlan(other, file)
    try {
      const loaded = await loadPlan(file, bistro, server().driver)
      await settleRepair(loaded, server().driver, { journal: journalOf(file) })
      return await undoRepair(loaded, server().driver, {
        done: doneOf(loaded, journalOf(file)),
      })
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  it("restores everything that was there", async () => {
    const before = await everything()
    await applyRepair(plan, server().driver, { journal: journalOf(file) })
    expect(await everything()).not.toBe(before)
    expect(await undo(plan)).toMatchObject({ done: 1 })
    expect(await everything()).toBe(before)
  })

  it("does not take the journal of carrying the plan out for its own, nor the other way round", async () => {
    await applyRepair(plan, server().driver, { journal: journalOf(file) })
    const done = doneOf(plan, journalOf(file))
    copyFileSync(journalOf(file), undoJournalOf(file))
    const undoing = () => undoRepair(plan, server().driver, { done, journal: undoJournalOf(file) })
    await expect(undoing()).rejects.toMatchObject({ code: "CHANGE.JOURNAL" })
    rmSync(undoJournalOf(file))
    expect(await undoing()).toMatchObject({ done: 1 })
    copyFileSync(undoJournalOf(file), journalOf(file))
    expect(() => doneOf(plan, journalOf(file))).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL" }))
  })

  it("writes nothing by a plan that was changed after it was carried out", async () => {
    await applyRepair(plan, server().driver, { journal: journalOf(file) })
    const [before, dump] = [await everything(), await dumpOf('{"id":"3","price":0}')]
    for (const [what, other] of Object.entries({
      "another value": withUndo("RESTORE", (words) => words.with(3, base64(dump))),
      "an end": withUndo("RESTORE", (words) => words.with(2, "9999999999999")),
      "another order in an index": withUndo("ZADD", (words) => words.with(2, "1")),
      "not all of it": withAction(({ undo: all }) => ({
        undo: all.slice(0, -1),
      })),
      "another database": withAction(() => ({ db: 1 })),
    })) {
      // The journal says that it belongs to the changed plan, as far as it can.
      for (const stamp of [headDigest(plan), headDigest(other)]) {
        const text = readFileSync(journalOf(file), "utf8")
        writeFileSync(journalOf(file), text.replace(headDigest(plan), stamp))
        expect([what, await undo(other)]).toEqual([what, expect.stringMatching(/^CHANGE\.(?:PLAN|JOURNAL)$/)])
        writeFileSync(journalOf(file), text)
      }
    }
    expect(await everything()).toBe(before)
  })

  /** A purge of a dish that never existed, in every point as one that is made here. */
  const invented = async (): Promise<ChangePlan> => {
    const document = String(await send("GET", "dish:3")).replace('"id":"3"', '"id":"666"')
    const dump = await dumpOf(document)
    return withAction(() => ({
      key: "dish:666",
      expects: [
        {
          read: ["GET", "dish:666"],
          is: { sha1: sha1(document), length: document.length },
        },
      ],
      commands: [
        ["SREM", "dish:list", "666"],
        ["UNLINK", "dish:666"],
      ],
      undo: [
        ["SADD", "dish:list", "666"],
        ["RESTORE", "dish:666", "0", base64(dump), "REPLACE", "ABSTTL"],
      ],
    }))
  }

  it("invents no record by a journal that was not written here", async () => {
    const evil = await invented()
    await applyRepair(plan, server().driver, { journal: journalOf(file) })
    const [, ...lines] = readFileSync(journalOf(file), "utf8").split("\n")
    const signature = lines[0]!.split(" ").at(-1)!
    const before = await everything()
    for (const text of [
      `plan ${headDigest(evil)}\nb 0-0\ne 0-0 1\n`,
      `plan ${headDigest(evil)} ${signature}\nb 0-0 ${signature}\ne 0-0 1 ${signature}\n`,
      `plan ${headDigest(evil)}\n${lines.join("\n")}`,
      `plan ${headDigest(evil)} ${signature}\n${lines.join("\n")}`,
    ]) {
      writeFileSync(journalOf(file), text)
      expect(await undo(evil)).toBe("CHANGE.JOURNAL")
    }
    expect(await everything()).toBe(before)
  })

  it("invents none either when the plan is carried out before, or its journal says that it was begun", async () => {
    const evil = await invented()
    const before = await everything()
    expect(await applyRepair(evil, server().driver, { journal: journalOf(file) })).toMatchObject({ skipped: 1 })
    expect(await undo(evil)).toMatchObject({ done: 0 })
    writeFileSync(journalOf(file), `plan ${headDigest(evil)}\nb 0-0\n`)
    await expect(applyRepair(evil, server().driver, { journal: journalOf(file) })).rejects.toMatchObject({
      code: "CHANGE.JOURNAL",
    })
    expect(await everything()).toBe(before)
  })

  it("invents none when the end of its journal was cut off", async () => {
    const evil = await invented()
    const before = await everything()
    await applyRepair(evil, server().driver, { journal: journalOf(file) })
    const lines = readFileSync(journalOf(file), "utf8").split("\n")
    writeFileSync(journalOf(file), `${lines.slice(0, -2).join("\n")}\n`)
    await expect(applyRepair(evil, server().driver, { journal: journalOf(file) })).rejects.toMatchObject({
      code: "CHANGE.JOURNAL",
    })
    expect(await undo(evil)).toBe("CHANGE.JOURNAL")
    expect(await everything()).toBe(before)
  })

  /** A driver whose script runs as often as this, and then once more before its answer is lost, if `last` is. */
  const failing = (calls: number, last: boolean): Driver => {
    const { driver } = server()
    let called = 0
    const run = async (...given: Parameters<Driver["run"]>) => {
      if (called++ < calls) return driver.run(...given)
      if (last) await driver.run(...given)
      throw new Error("the answer is lost")
    }
    return new Proxy(driver, {
      get: (target, name) => {
        const found: unknown = name === "run" ? run : Reflect.get(target, name, target)
        return typeof found === "function" && name !== "run" ? found.bind(target) : found
      },
    })
  }
  const interrupted = (other: ChangePlan, calls: number, last: boolean) =>
    expect(applyRepair(other, failing(calls, last), { journal: journalOf(file) })).rejects.toMatchObject({
      code: "CHANGE.INTERRUPTED",
    })

  it("takes back what was done before a crash, and nothing that was so before", async () => {
    const evil = await invented()
    const before = await everything()
    for (const last of [false, true]) {
      await interrupted(evil, 1, last)
      expect(await applyRepair(evil, server().driver, { journal: journalOf(file) })).toMatchObject({ done: 0 })
      expect(await undo(evil)).toMatchObject({ done: 0 })
      expect(await everything()).toBe(before)
      rmSync(journalOf(file))
      rmSync(undoJournalOf(file), { force: true })
    }
    for (const isContinued of [true, false]) {
      await interrupted(plan, 1, true)
      expect(await send("EXISTS", "dish:3")).toBe(0)
      if (isContinued)
        expect(await applyRepair(plan, server().driver, { journal: journalOf(file) })).toMatchObject({ done: 1 })
      expect(await undo(plan)).toMatchObject({ done: 1 })
      expect(await everything()).toBe(before)
      rmSync(journalOf(file))
    }
    for (const other of [plan, evil]) {
      await interrupted(other, 1, false)
      expect(await undo(other)).toMatchObject({ done: 0 })
      expect(await everything()).toBe(before)
      rmSync(journalOf(file))
    }
  })

  it("does not take back what cannot be seen to have been done", async () => {
    await send("RPUSH", "line", "1", "bad", "2")
    const dump = base64(await server().driver.send(["DUMP", "line"], { bytes: true }))
    const other = withAction(() => ({
      expects: [{ read: ["LPOS", "line", "bad"], is: 1 }],
      commands: [["LREM", "line", "0", "bad"]],
      undo: [["RESTORE", "line", "0", dump, "REPLACE", "ABSTTL"]],
    }))
    await interrupted(other, 1, true)
    expect(await settleRepair(other, server().driver, { journal: journalOf(file) })).toBe(1)
    expect(await applyRepair(other, server().driver, { journal: journalOf(file) })).toMatchObject({
      done: 0,
      skipped: 1,
    })
    expect(doneOf(other, journalOf(file))).toEqual([false])
    expect(await send("LRANGE", "line", "0", "-1")).toEqual(["1", "2"])
  })

  it("says so where somebody has changed what was under way, or only a part of it was carried out", async () => {
    const settle = () => settleRepair(plan, server().driver, { journal: journalOf(file) })
    const before = await everything()
    await interrupted(plan, 1, false)
    expect([await settle(), doneOf(plan, journalOf(file))]).toEqual([0, [false]])
    expect(await everything()).toBe(before)
    rmSync(journalOf(file))
    await interrupted(plan, 1, true)
    await send("SADD", "dish:list", "3")
    expect([await settle(), doneOf(plan, journalOf(file))]).toEqual([1, [false]])
  })

  it("of a plan that would restore something else than it finds is not even begun", async () => {
    const [before, dump] = [await everything(), await dumpOf('{"id":"3","price":0}')]
    const restore = (words: readonly Word[]) => words.with(3, base64(dump))
    const lies: Record<string, ChangePlan> = {
      "another value": withUndo("RESTORE", restore),
      "an end at once": withUndo("RESTORE", (words) => words.with(2, "1")),
      "another score": withUndo("ZADD", (words) => words.with(2, "7")),
      "a member of an index": withAction(({ commands, undo: all }) => ({
        commands: [["SREM", "dish:index:category:6", "3"], ...commands],
        undo: [["SADD", "dish:index:category:6", "3"], ...all],
      })),
    }
    for (const [what, other] of Object.entries(lies)) {
      expect([what, await applyRepair(other, server().driver)]).toMatchObject([what, { done: 0, skipped: 1 }])
      expect([what, await everything()]).toEqual([what, before])
    }
    // What contradicts itself is refused before anything is asked.
    savePlan(lies["another value"]!, file)
    await expect(loadPlan(file, bistro, server().driver)).rejects.toMatchObject({ code: "CHANGE.PLAN" })
  })

  it("of single changes, too, restores what they replace or is not begun", async () => {
    await send("HSET", "table", "a", "1")
    await send("ZADD", "order", "5", "a")
    await send("SET", "text", "1")
    await send("PEXPIREAT", "text", "4102444800000")
    const before = await everything()
    const dump = base64(await dumpOf("2"))
    const lies: readonly (readonly [commands: Word[], undo: Word[]])[] = [
      [
        ["HDEL", "table", "a"],
        ["HSET", "table", "a", "2"],
      ],
      [
        ["HSET", "table", "a", "3"],
        ["HSET", "table", "a", "2"],
      ],
      [
        ["HSET", "table", "a", "3"],
        ["HDEL", "table", "a"],
      ],
      [
        ["ZREM", "order", "a"],
        ["ZADD", "order", "6", "a"],
      ],
      [
        ["ZADD", "order", "7", "a"],
        ["ZREM", "order", "a"],
      ],
      [
        ["ZADD", "order", "7", "a"],
        ["ZADD", "order", "6", "a"],
      ],
      [
        ["SET", "text", "3"],
        ["UNLINK", "text"],
      ],
      [
        ["SET", "text", "3"],
        ["RESTORE", "text", "4102444800000", dump, "REPLACE", "ABSTTL"],
      ],
      [
        ["PERSIST", "text"],
        ["PEXPIREAT", "text", "1"],
      ],
      [
        ["PERSIST", "text"],
        ["PEXPIREAT", "text", "4102444800001"],
      ],
      [
        ["PEXPIRE", "text", "1000"],
        ["PERSIST", "text"],
      ],
      [
        ["SADD", "dish:list", "3"],
        ["SREM", "dish:list", "3"],
      ],
      [
        ["SREM", "dish:list", "77"],
        ["SADD", "dish:list", "77"],
      ],
    ]
    for (const [command, back] of lies) {
      const other = withAction(() => ({
        expects: [],
        commands: [command],
        undo: [back],
      }))
      expect([command, await applyRepair(other, server().driver)]).toMatchObject([command, { done: 0 }])
    }
    expect(await everything()).toBe(before)
  })

  it("asks for a key of journals that nobody else can read or put there", async () => {
    const place = mkdtempSync(join(folder, "state-"))
    const key = join(place, "journal.key")
    process.env["KEYWRIGHT_STATE"] = place
    await applyRepair(plan, server().driver, { journal: journalOf(file) })
    expect(readFileSync(key)).toHaveLength(32)
    expect(doneOf(plan, journalOf(file))).toEqual([true])
    chmodSync(key, 0o644)
    expect(() => doneOf(plan, journalOf(file))).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL_KEY" }))
    rmSync(key)
    writeFileSync(join(folder, "known"), "0".repeat(32), { mode: 0o600 })
    symlinkSync(join(folder, "known"), key)
    expect(() => doneOf(plan, journalOf(file))).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL_KEY" }))
    rmSync(key)
    execFileSync("mkfifo", ["-m", "600", key])
    expect(() => doneOf(plan, journalOf(file))).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL_KEY" }))
    rmSync(key)
    chmodSync(place, 0o777)
    expect(() => doneOf(plan, journalOf(file))).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL_KEY" }))
    process.env["KEYWRIGHT_STATE"] = "/proc/nope"
    expect(() => doneOf(plan, journalOf(file))).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL_KEY" }))
    process.env["KEYWRIGHT_STATE"] = mkdtempSync(join(folder, "state-"))
    expect(() => doneOf(plan, journalOf(file))).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL" }))
  })
})

it("ignores a state folder that is not absolute", () => {
  const { KEYWRIGHT_STATE: named, XDG_STATE_HOME: base } = process.env
  delete process.env["KEYWRIGHT_STATE"]
  process.env["XDG_STATE_HOME"] = "relative"
  expect(placeOfState()).toBe(join(homedir(), ".local", "state", "keywright"))
  process.env["XDG_STATE_HOME"] = "/absolute"
  expect(placeOfState()).toBe("/absolute/keywright")
  process.env["KEYWRIGHT_STATE"] = named
  if (base === undefined) delete process.env["XDG_STATE_HOME"]
  else process.env["XDG_STATE_HOME"] = base
})
