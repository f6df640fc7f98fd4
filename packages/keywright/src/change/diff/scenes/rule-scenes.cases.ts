/* Marks and rules. */

import * as z from "zod"
import { entity, id, json, keyspace, sameIds, secret, set, text, type Keyspace } from "../../../index.ts"
import { audit } from "../../../inspect/audit/audit.ts"
import { applyRepair } from "../../carry-out/carry-out.ts"
import { planRepair } from "../../make-plan/plan-repair.ts"
import { cleared, foundBy, outcomeOf, type SceneContext } from "../experiment/scene-context.cases.ts"
import type { Any } from "../experiment/program.cases.ts"
import type { Verdicts } from "../verdict.ts"
import { forever, value, type Scene } from "./scene.cases.ts"

// ── rules between keys ─────────────────────────────────────────────────────

const sets = { x: set("x", id("t")), y: set("y", id("t")) }
const ruled = (truth?: "x" | "y") =>
  keyspace(sets, {
    ...forever,
    invariants: [sameIds(id("t"), ["x", "y"], truth === undefined ? {} : { truth })],
  }) as Keyspace
const free = keyspace(sets, forever) as Keyspace

const rule = (code: "INVARIANT.ADDED" | "INVARIANT.REMOVED", before: Keyspace, after: Keyspace): Scene => ({
  title: code,
  codes: [code],
  before,
  after,
})

/** What the truth says is what repair makes of the other side: by each schema, its own writers' way to write both. */
async function repairing(context: SceneContext): Promise<Verdicts> {
  const { scene, old, now, driver } = context
  const [oldTruth, newTruth] = ["x", "y"]
  const repair = async (keyspace: Keyspace) => {
    const { findings } = await audit(keyspace, driver)
    await applyRepair(await planRepair(findings, keyspace, driver), driver)
  }
  const written = async (db: Any, truth: string, by: Keyspace) => {
    await cleared(context)
    await db[truth]().add("1")
    await repair(by)
  }
  const has = async (db: Any) => (await db.x().has("1")) && (await db.y().has("1"))
  await written(now, newTruth!, scene.after)
  const oldReader = await outcomeOf(() => has(old))
  const newWriter = await outcomeOf(() => has(now))
  await written(old, oldTruth!, scene.before)
  const newReader = await outcomeOf(() => has(now))
  await written(old, oldTruth!, scene.after)
  return { oldReader, newReader, oldWriter: await outcomeOf(() => has(old)), newWriter }
}

// ── relations ──────────────────────────────────────────────────────────────

const linked = (mayDangle: boolean) =>
  keyspace(
    {
      role: entity("role:{id}", json(z.object({ id: z.string() }))),
      user: entity("user:{id}", json(z.object({ id: z.string(), roleId: z.string() }))),
    },
    { ...forever, relations: { user: { role: { one: "role", from: "roleId", mayDangle } } } },
  ) as Keyspace

/** Somebody whose role is gone. */
async function dangling(context: SceneContext): Promise<Verdicts> {
  const { scene, old, now } = context
  const write = async (db: Any) => {
    await cleared(context)
    await db.user.create({ id: "1", roleId: "9" })
  }
  /** The type of what is loaded says in both that the role may be absent. */
  const reads = (db: Any) => outcomeOf(async () => (await db.user.get("1", { with: { role: true } })).roleId === "9")
  const updates = (db: Any) =>
    outcomeOf(async () => {
      await db.user.update("1", { roleId: "8" })
      return (await db.user.get("1")).roleId === "8"
    })
  await write(now)
  const oldReader = await reads(old)
  await write(old)
  const newReader = await reads(now)
  const isFound = (await foundBy(scene.after, context)).length > 0
  return { oldReader, newReader, oldWriter: isFound ? "silent" : "works", newWriter: await updates(now) }
}

export const ruleScenes: readonly Scene[] = [
  value("SECRET.ADDED", text, secret(text)),
  value("SECRET.REMOVED", secret(text), text),
  rule("INVARIANT.ADDED", free, ruled()),
  rule("INVARIANT.REMOVED", ruled(), free),
  {
    title: "INVARIANT.TRUTH",
    codes: ["INVARIANT.TRUTH"],
    before: ruled("x"),
    after: ruled("y"),
    meets: repairing,
  },
  {
    title: "RELATION.STRICT",
    codes: ["RELATION.STRICT"],
    before: linked(true),
    after: linked(false),
    meets: dangling,
  },
  {
    title: "RELATION.RELAXED",
    codes: ["RELATION.RELAXED"],
    before: linked(false),
    after: linked(true),
    meets: dangling,
  },
]
