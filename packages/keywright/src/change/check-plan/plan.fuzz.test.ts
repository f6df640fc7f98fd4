/* Plans and journals with something else in them than repair and purge wrote: refused, or
 * they do nothing that the plan would not have done. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Engine, start } from "@keywright/embedded"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fuzzing, JSON_PIECES, mutated, mutatedJson } from "../../../../../test/fuzz.ts"
import type { Driver } from "../../driver/driver.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { bistro as typed, damageBistro, fillBistro, openBistro } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { checkPlan } from "./check-plan.ts"
import { Journal } from "../carry-out/journal.ts"
import type { ChangePlan } from "../plan/plan.ts"
import { planPurge } from "../make-plan/plan-purge.ts"
import { planRepair } from "../make-plan/plan-repair.ts"
import { readPlan } from "../make-plan/read-plan.ts"
import { wireOf } from "../plan/word.ts"

const bistro = typed as unknown as Keyspace
const OTHERS: readonly unknown[] = [
  ...[null, true, 0, 1, -1, 1e300, "", "x", [], {}, "FLUSHALL", "EVAL", "UNLINK", "SET", "SREM", "dish:1", "dish:list"],
  ...[
    ["FLUSHALL", "SYNC"],
    ["UNLINK", "dish:1"],
    ["EVAL", "return 1", "0"],
    ["SADD", "dish:list", "9"],
  ],
  ...[{ base64: "eA==" }, { read: ["EXISTS", "dish:1"], is: 1 }, "KEY.UNKNOWN", "PURGE", "LIST.MISSING"],
]
const PIECES = [...JSON_PIECES, "\\u0000", '"db":1,', '["FLUSHALL"],', '"undo":[],']

describe("a plan with something else in it", () => {
  const plans: ChangePlan[] = []
  let engine: Engine
  let driver: Driver

  beforeAll(async () => {
    engine = await start()
    driver = embeddedDriver(engine)
    const db = await openBistro({ engine })
    await fillBistro(db, 55)
    plans.push(await planPurge(bistro, driver, { only: ["dish"], undo: true }))
    await damageBistro((...command) => driver.send(command), 3)
    await db.$close()
    const { findings } = await audit(bistro, driver)
    plans.push(await planRepair(findings, bistro, driver, { delete: ["unknown", "broken"] }))
  }, 60_000)
  afterAll(async () => {
    await driver?.close()
    await engine?.stop()
  })

  /** Whether the command that the plan is for accepts it; anything but a refusal of ours fails the test. */
  const isAccepted = async (plan: ChangePlan, text: string): Promise<boolean> => {
    try {
      const isPurge = plan.actions.some(({ code }) => code === "PURGE")
      await checkPlan(readPlan(text, "plan.json"), bistro, driver, { for: isPurge ? "purge" : "repair" })
      return true
    } catch (error) {
      expect((error as { code?: string }).code).toMatch(/^CHANGE\.(?:PLAN|OTHER_SCHEMA|OTHER_SERVER)$/)
      return false
    }
  }

  /** The command and its key, however they are spelled. */
  const opening = (words: ChangePlan["actions"][number]["commands"][number]): string[] =>
    words.slice(0, 2).map((word) => Buffer.from(wireOf(word)).toString("latin1"))
  /** What an action does, and to which key. Values and members are the file's own to say: they are shown, and rest on what is expected. */
  const effects = ({ actions }: ChangePlan): string[] =>
    actions.flatMap(({ db, code, commands }) => commands.map((words) => JSON.stringify([db, code, ...opening(words)])))
  const undoes = ({ actions }: ChangePlan): string[] =>
    actions.flatMap(({ db, undo }) => undo.map((words) => JSON.stringify([db, ...opening(words)])))

  const expectNothingElse = async (plan: ChangePlan, text: string) => {
    if (!(await isAccepted(plan, text))) return
    const now = JSON.parse(text) as ChangePlan
    const [may, mayUndo] = [new Set(effects(plan)), new Set(undoes(plan))]
    expect(effects(now).filter((one) => !may.has(one))).toEqual([])
    expect(undoes(now).filter((one) => !mayUndo.has(one))).toEqual([])
  }
  /** Three actions of one of the plans. */
  const some = fc.tuple(fc.nat(1), fc.nat(), fc.nat(), fc.nat()).map(([which, ...at]): ChangePlan => {
    const plan = plans[which]!
    return { ...plan, actions: at.map((one) => plan.actions[one % plan.actions.length]!) }
  })

  it("is accepted when it is only in another order", async () => {
    await fc.assert(
      fc.asyncProperty(some, async (plan) => isAccepted(plan, JSON.stringify(plan))),
      fuzzing(50),
    )
  })

  it("does nothing that it would not have done: other values", async () => {
    await fc.assert(
      fc.asyncProperty(
        some.chain((plan) => fc.tuple(fc.constant(plan), mutatedJson(JSON.stringify(plan), OTHERS))),
        async ([plan, other]) => expectNothingElse(plan, JSON.stringify(other) ?? ""),
      ),
      fuzzing(1000),
    )
  })

  it("does nothing that it would not have done: other characters", async () => {
    await fc.assert(
      fc.asyncProperty(
        some.chain((plan) => fc.tuple(fc.constant(plan), mutated(JSON.stringify(plan), PIECES))),
        async ([plan, text]) => expectNothingElse(plan, text),
      ),
      fuzzing(1000),
    )
  })
})

describe("a journal with something else in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "keywright-journal-fuzz-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("is refused, or says of each action one of the things that can become of it", () => {
    const path = join(folder, "journal")
    const made = new Journal(9, path, { stamp: "abc" })
    made.begin([0, 1, 2])
    made.end([2, 0, 1], "012")
    made.begin([7, 4])
    made.end([7, 4], "31")
    made.begin([3])
    made.close()
    const text = readFileSync(path, "utf8")
    const pieces = [
      "b ",
      "e ",
      "\n",
      "0-8",
      ",",
      "-",
      "9",
      "99999999999",
      "1",
      "4",
      " ",
      "plan ",
      "\u0000",
      "e 0-8 111111111\n",
    ]
    fc.assert(
      fc.property(mutated(text, pieces), (other) => {
        writeFileSync(path, other)
        let journal: Journal
        try {
          journal = new Journal(9, path, { stamp: "abc" })
        } catch (error) {
          expect(error).toMatchObject({ code: "CHANGE.JOURNAL" })
          return
        }
        journal.close()
        const outcomes = Array.from({ length: 9 }, (_, i) => journal.outcome(i))
        expect(outcomes.every((one) => one === undefined || /^[0-3]$/.test(one))).toBe(true)
        expect(journal.ended).toBe(outcomes.filter((one) => one !== undefined).length)
        expect([...journal.begun].every((one) => Number.isInteger(one) && one >= 0 && one < 9)).toBe(true)
        const lines = readFileSync(path, "utf8").split("\n")
        expect(lines.filter((line) => line !== "" && !text.includes(`${line}\n`))).toEqual([])
      }),
      fuzzing(1500),
    )
  })
})
