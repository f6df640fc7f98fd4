/* Plan files and journals that somebody else wrote: none of them does anything that a
 * plan of repair or purge would not do. */

import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync, linkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { bistro as typed, fillBistro, openBistro } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { findingCodes } from "../../inspect/audit/finding-codes.ts"
import { plannedCodes } from "./action-rules.ts"
import { applyRepair, doneOf } from "../carry-out/carry-out.ts"
import { badHash } from "../copy/dumps.cases.ts"
import { deletions } from "../make-plan/deletions.ts"
import { expectedOf } from "../plan/expected.ts"
import type { Action, ChangePlan } from "../plan/plan.ts"
import { journalOf, loadPlan } from "../make-plan/plan-file.ts"
import { planPurge } from "../make-plan/plan-purge.ts"
import { planRepair } from "../make-plan/plan-repair.ts"

const bistro = typed as unknown as Keyspace
const folder = mkdtempSync(join(tmpdir(), "keywright-attack-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let count = 0

type Change = Record<string, unknown>

/** What is put into the one action of a good plan, or into the plan itself. */
const attacks: readonly (readonly [what: string, action: Change, plan?: Change])[] = [
  ["a command that no plan has", { commands: [["FLUSHALL", "SYNC"]] }],
  ["one with its key", { commands: [["FLUSHALL", "dish:index:category:3"]] }],
  ["a script", { commands: [["EVAL", "return redis.call('FLUSHALL')", "0"]] }],
  ["a script on the right key", { commands: [["EVAL", "dish:index:category:3", "0", "x"]] }],
  ["a command in small letters", { commands: [["srem", "dish:index:category:3", "ghost"]] }],
  ["a command in mixed letters", { commands: [["FlushAll", "dish:index:category:3"]] }],
  ["a command of two words", { commands: [["CONFIG SET", "dish:index:category:3", "x"]] }],
  ["a name from the prototype", { commands: [["constructor", "dish:index:category:3"]] }],
  ["more words than the command has", { commands: [["SREM", "dish:index:category:3", "ghost", "1", "2"]] }],
  ["fewer words than it has", { commands: [["SREM", "dish:index:category:3"]] }],
  ["no word at all", { commands: [[]] }],
  ["no command at all", { commands: [] }],
  ["an option", { commands: [["SET", "dish:index:category:3", "x", "GET"]] }],
  [
    "a second command",
    {
      commands: [
        ["SREM", "dish:index:category:3", "ghost"],
        ["UNLINK", "dish:1"],
      ],
    },
  ],
  ["a command of another code", { commands: [["UNLINK", "dish:index:category:3"]] }],
  ["the key of something else", { commands: [["SREM", "dish:list", "1"]] }],
  ["a key that nobody owns", { commands: [["SREM", "secrets", "ghost"]] }],
  ["another key than is shown", { commands: [["SREM", "dish:index:category:4", "ghost"]] }],
  ["another pattern than is shown", { pattern: "user:{id}" }],
  ["a code that there is not", { code: "NICE.CLEANUP" }],
  ["a code from the prototype", { code: "toString" }],
  ["the code of an edit", { code: "STUDIO.EDIT" }],
  ["a deletion that calls itself a fix", { code: "LIST.MISSING" }],
  ["unknown keys that are known", { code: "KEY.UNKNOWN", commands: [["UNLINK", "dish:1"]], key: "dish:1" }],
  ["another database", { db: 3 }],
  ["a database that is a text", { db: "0" }],
  ["a database that is an expression", { db: 0.5 }],
  ["a database below all", { db: -1 }],
  ["a condition that writes", { expects: [{ read: ["DEL", "dish:1"], is: 0 }] }],
  ["a condition in another database", { expects: [{ db: 7, read: ["EXISTS", "dish:1"], is: 1 }] }],
  ["a condition that is not a comparison", { expects: [{ read: ["EXISTS", "dish:1"], is: { above: "0" } }] }],
  ["an undo that does something else", { undo: [["UNLINK", "dish:1"]] }],
  ["an undo of another member", { undo: [["SADD", "dish:index:category:3", "17"]] }],
  ["an undo that is a script", { undo: [["EVAL", "dish:index:category:3", "0"]] }],
  ["an undo that restores another key", { undo: [["RESTORE", "dish:1", "0", "x", "REPLACE", "ABSTTL"]] }],
  ["two undoes of one command", { undo: Array.from({ length: 2 }, () => ["SADD", "dish:index:category:3", "ghost"]) }],
  ["words that are numbers", { commands: [["SREM", "dish:index:category:3", 17]] }],
  ["words that are lists", { commands: [["SREM", ["dish:index:category:3"], "ghost"]] }],
  ["base64 with something behind it", { commands: [["SREM", { base64: "ZGlzaDppbmRleA==!!" }, "ghost"]] }],
  ["a word with two faces", { commands: [["SREM", { base64: "ZGlzaA==", text: "dish" }, "ghost"]] }],
  ["a field that no action has", { also: [["FLUSHALL"]] }],
  [
    "very many commands",
    { commands: Array.from({ length: 10_001 }, () => ["SREM", "dish:index:category:3", "ghost"]) },
  ],
  ["a secret that hides what is removed", { secret: true }],
  ["a reason that fills the terminal", { why: "x".repeat(100_001) }],
  ["a list instead of an action", { code: ["INDEX.DANGLING"] }],
  ["no fingerprint", {}, { schema: { fingerprint: "0000" } }],
  ["no schema", {}, { schema: {} }],
  ["another server", {}, { server: "redis://10.0.0.1:6379/0 (own connection)" }],
  ["another format", {}, { format: "keywright-export" }],
  ["another version", {}, { version: 2 }],
  ["a field that no plan has", {}, { commands: [["FLUSHALL"]] }],
]

it("every kind of finding that repair sets right may stand in a plan", () => {
  const known = new Set([...plannedCodes, "KEY.UNKNOWN", "EXPIRY.OVERDUE", "EXPIRY.UNREADABLE"])
  const planned = Object.entries(findingCodes).filter(([, { fixable }]) => fixable !== false)
  const codes = [...planned.map(([code]) => code), ...Object.values(deletions).flat()]
  expect(codes.filter((code) => !known.has(code))).toEqual([])
})

onAnyServer("a plan file of unknown origin", (server) => {
  let good: ChangePlan
  let file = ""
  beforeEach(async () => {
    file = join(folder, `${process.pid}-${count++}.json`)
    const db = await openBistro(server().target)
    await fillBistro(db, 12)
    await db.$close()
    const { driver } = server()
    await driver.send(["SADD", "dish:index:category:3", "ghost"])
    good = await planRepair((await audit(bistro, driver)).findings, bistro, driver)
  })
  const load = (text: string) => {
    writeFileSync(file, text)
    return loadPlan(file, bistro, server().driver, { for: "repair" })
  }
  const codeOf = (loading: Promise<unknown>) =>
    loading.then(
      () => "accepted",
      (error: { code: string }) => error.code,
    )

  it("is accepted when it is what repair saved", async () => {
    expect(good.actions).toHaveLength(1)
    expect(await load(JSON.stringify(good))).toEqual(good)
  })

  it("is refused, whatever it tries", async () => {
    for (const [what, action, plan = {}] of attacks) {
      const evil = { ...good, ...plan, actions: [{ ...good.actions[0], ...action }] }
      expect([what, await codeOf(load(JSON.stringify(evil)))]).toEqual([
        what,
        expect.stringMatching(/^CHANGE\.(?:PLAN|OTHER_SCHEMA|OTHER_SERVER)$/),
      ])
    }
  })

  it("is refused when another reader would read something else", async () => {
    const text = JSON.stringify(good)
    const twice = text.replace('"commands":', '"commands":[["SREM","dish:index:category:3","17"]],"commands":')
    expect(await codeOf(load(twice))).toBe("CHANGE.PLAN")
    expect(await codeOf(load(text.replace('"code":', '"__proto__":{"db":1},"code":')))).toBe("CHANGE.PLAN")
    for (const odd of ["", "null", "[]", "{}", "7", `${text}x`, "[".repeat(100_000), '{"a":'.repeat(100_000)])
      expect([odd.slice(0, 20), await codeOf(load(odd))]).toEqual([odd.slice(0, 20), "CHANGE.PLAN"])
  })

  /** One action, instead of the good one. */
  const loadOne = (action: Change) =>
    codeOf(load(JSON.stringify({ ...good, actions: [{ ...good.actions[0], place: undefined, ...action }] })))
  /** What a plan says of a record that is as it is now. */
  const asItIs = async (key: string) => {
    const document = await server().driver.send(["GET", key])
    return { document: JSON.parse(String(document)), read: ["GET", key], is: expectedOf(["GET"], document, true) }
  }

  it("gives an end to a unique key only where its records have one", async () => {
    const { document, ...expects } = await asItIs("user:1")
    const [key, pattern] = [`user:index:email:${document.email}`, "user:index:email:{email}"]
    await server().driver.send(["DEL", key])
    const set = (...ending: string[]) => {
      const commands = [["SET", key, "1", ...ending]]
      const both = [expects, { read: ["GET", key], is: null }]
      return loadOne({ code: "UNIQUE.MISSING", key, pattern, expects: both, commands, undo: [["UNLINK", key]] })
    }
    expect(await set()).toBe("accepted")
    for (const ending of [["PXAT", "1"], ["PX", "1"], ["PXAT"], ["PXAT", "-1"], ["KEEPTTL"]])
      expect(await set(...ending)).toBe("CHANGE.PLAN")
  })

  it("leads no index to a record, and takes none from it, that does not say so itself", async () => {
    const [user, other, dish] = [await asItIs("user:1"), await asItIs("user:2"), await asItIs("dish:1")]
    const of = ({ read, is }: typeof user) => [{ read, is }]
    const unique = { pattern: "user:index:email:{email}", key: `user:index:email:${user.document.email}` }
    const index = {
      pattern: "dish:index:category:{categoryId}",
      key: `dish:index:category:${dish.document.categoryId}`,
    }
    const list = { pattern: "dish:list", key: "dish:list" }
    const gone = [{ read: ["EXISTS", "dish:999"], is: 0 }]
    const here = [{ read: ["EXISTS", "dish:1"], is: 1 }]
    const set = (id: string) => ({ commands: [["SET", unique.key, id]], undo: [["UNLINK", unique.key]] })
    const add = (key: string, id: string) => ({ commands: [["SADD", key, id]], undo: [["SREM", key, id]] })
    const remove = (key: string, id: string) => ({ commands: [["SREM", key, id]], undo: [["SADD", key, id]] })
    const ghost = index.key.replace(/[^:]+$/, "ghosts")
    const lies: Readonly<Record<string, Change>> = {
      "somebody else's e-mail": { code: "UNIQUE.STALE", ...unique, expects: of(other), ...set("2") },
      "the same, with the owner's record": { code: "UNIQUE.STALE", ...unique, expects: of(user), ...set("2") },
      "the same, as missing": { code: "UNIQUE.MISSING", ...unique, expects: of(other), ...set("2") },
      "a unique entry that is right": {
        code: "UNIQUE.STALE",
        ...unique,
        expects: [...of(user), { read: ["GET", unique.key], is: "1" }],
        commands: [["UNLINK", unique.key]],
        undo: [],
      },
      "an entry that is right": { code: "INDEX.STALE", ...index, expects: of(dish), ...remove(index.key, "1") },
      "the same, by the end of another record": {
        code: "INDEX.DANGLING",
        ...index,
        expects: gone,
        ...remove(index.key, "1"),
      },
      "the same, by nothing": { code: "INDEX.DANGLING", ...index, expects: [], ...remove(index.key, "1") },
      "an entry elsewhere": { code: "INDEX.MISSING", ...index, key: ghost, expects: of(dish), ...add(ghost, "1") },
      "a record that there is not": { code: "LIST.MISSING", ...list, expects: here, ...add("dish:list", "evil") },
      "a record that there is": { code: "LIST.DANGLING", ...list, expects: gone, ...remove("dish:list", "1") },
      "the same, which the plan says itself": {
        code: "LIST.DANGLING",
        ...list,
        expects: here,
        ...remove("dish:list", "1"),
      },
      "the same, by what is in it": { code: "LIST.EXPIRED", ...list, expects: of(dish), ...remove("dish:list", "1") },
    }
    for (const [what, action] of Object.entries(lies))
      expect([what, await loadOne(action)]).toEqual([what, "CHANGE.PLAN"])
  })

  it("deletes no key for its type or its spelling that has the right one", async () => {
    const [key, pattern] = ["dish:1", "dish:{id}"]
    const unlink = { key, pattern, commands: [["UNLINK", key]], undo: [] }
    const type = (is: unknown, of = key) => ({ read: ["TYPE", of], is })
    const exists = { read: ["EXISTS", key], is: 1 }
    const hidden = expectedOf(["TYPE"], "string", true)
    for (const expects of [[exists], [type("string")], [type(hidden)], [exists, type("hash", "dish:2")]])
      expect(await loadOne({ code: "KEY.TYPE", ...unlink, expects })).toBe("CHANGE.PLAN")
    const value = { read: ["DUMP", key], is: { sha1: "0".repeat(40), length: 9 } }
    expect(await loadOne({ code: "KEY.TYPE", ...unlink, expects: [type("hash")] })).toBe("CHANGE.PLAN")
    expect(await loadOne({ code: "KEY.TYPE", ...unlink, expects: [type("hash"), value] })).toBe("accepted")
    expect(await loadOne({ code: "KEY.SEGMENT", ...unlink, expects: [exists] })).toBe("CHANGE.PLAN")
  })

  it("puts nothing into a set by a rule that the schema does not have", async () => {
    const set = { pattern: "role:{roleId}:permissions", key: "role:1:permissions" }
    const commands = [["SADD", set.key, "6"]]
    const undo = [["SREM", set.key, "6"]]
    for (const code of ["SAME.MISSING", "INVERSE.MISSING"])
      for (const expects of [[], [{ read: ["SISMEMBER", "role:6:permissions", "6"], is: 1 }]])
        expect(await loadOne({ code, ...set, expects, commands, undo })).toBe("CHANGE.PLAN")
  })

  it("that purge made is not repair's, and not the other way round", async () => {
    const { driver } = server()
    const purge = await planPurge(bistro, driver, { only: ["dish"] })
    expect(await codeOf(load(JSON.stringify(purge)))).toBe("CHANGE.PLAN")
    writeFileSync(file, JSON.stringify(good))
    expect(await codeOf(loadPlan(file, bistro, driver, { for: "purge" }))).toBe("CHANGE.PLAN")
    const index = { ...purge.actions[0]!, key: "dish:list", pattern: "dish:list", commands: [["UNLINK", "dish:list"]] }
    writeFileSync(file, JSON.stringify({ ...purge, actions: [index] }))
    expect(await codeOf(loadPlan(file, bistro, driver, { for: "purge" }))).toBe("CHANGE.PLAN")
  })

  it("restores only what a server could have written", async () => {
    const { driver } = server()
    const purge = await planPurge(bistro, driver, { only: ["dish"], undo: true })
    const [action] = purge.actions
    const at = action!.undo.findIndex(([name]) => name === "RESTORE")
    const restore = action!.undo[at]!
    for (const dump of ["", "AAAA", Buffer.alloc(400, 17).toString("base64"), badHash().toString("base64")]) {
      const undo = action!.undo.with(at, restore.with(3, { base64: dump }))
      writeFileSync(file, JSON.stringify({ ...purge, actions: [{ ...action, undo }] }))
      expect(await codeOf(loadPlan(file, bistro, driver))).toBe("CHANGE.PLAN")
    }
  })

  it("names no command even where it is not read from a file", async () => {
    const actions = [{ ...good.actions[0]!, commands: [["FLUSHALL", "SYNC"]] } satisfies Action]
    const before = await server().driver.send(["DBSIZE"])
    expect(await codeOf(applyRepair({ ...good, actions }, server().driver))).toBe("CHANGE.PLAN")
    expect(await server().driver.send(["DBSIZE"])).toBe(before)
  })

  it("has no use for the journal of another plan, or for what is not a journal", async () => {
    const { driver } = server()
    const journal = journalOf(file)
    await applyRepair(good, driver, { journal })
    expect(doneOf(good, journal)).toEqual([true])
    const other = { ...good, made: "2020-01-01T00:00:00.000Z" }
    expect(() => doneOf(other, journal)).toThrow(expect.objectContaining({ code: "CHANGE.JOURNAL" }))
    for (const line of [
      "e 0-0 9",
      "e 0-0 11",
      "e 5-5 1",
      "e 0-99999999999 1",
      "e -1 1",
      "e 0 1 1",
      "b x",
      "FLUSHALL",
      "e 0",
    ]) {
      const odd = `${journal}.${line.length}-${line.codePointAt(0)}`
      await applyRepair(good, driver, { journal: odd })
      appendFileSync(odd, `${line}\n`)
      expect([line, await codeOf(applyRepair(good, driver, { journal: odd }))]).toEqual([line, "CHANGE.JOURNAL"])
      rmSync(odd)
    }
  })

  it("has no journal that is a link to something else", async () => {
    const victim = join(folder, `victim-${count}`)
    writeFileSync(victim, "")
    symlinkSync(victim, `${file}.link`)
    linkSync(victim, `${file}.hard`)
    for (const journal of [`${file}.link`, `${file}.hard`])
      expect(await codeOf(applyRepair(good, server().driver, { journal }))).toBe("CHANGE.FILE")
  })
})
