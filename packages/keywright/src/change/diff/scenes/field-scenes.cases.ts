/* Fields, choices and limits. */

import * as z from "zod"
import { hash, int, oneOf, optional, stream, text, unixMillis, unixSeconds } from "../../../index.ts"
import { cleared, outcomeOf, type SceneContext } from "../experiment/scene-context.cases.ts"
import type { Any } from "../experiment/program.cases.ts"
import type { Verdicts } from "../verdict.ts"
import { scene, value, status, document, type Scene } from "./scene.cases.ts"

const withDefault = (b: string) => z.object({ a: z.string(), b: z.string().default(b) })

const withoutDefault = z.object({ a: z.string(), b: z.string().optional() })

/** Documents without the field: a default is filled in on reading, and is not stored. */
async function readAbsent(context: SceneContext): Promise<Verdicts> {
  const [old, now] = [context.old.x({ id: "1" }), context.now.x({ id: "1" })]
  const meets = async (writer: Any, reader: Any) => {
    await cleared(context)
    await writer.set({ a: "1" })
    const meant = (await writer.get()).b
    return outcomeOf(async () => (await reader.get()).b === meant)
  }
  const [oldReader, newReader] = [await meets(now, old), await meets(old, now)]
  // A writer that reads first writes back what it took for the value.
  await cleared(context)
  await old.set({ a: "1" })
  const meant = (await old.get()).b
  await now.set(await now.get())
  const newWriter = await outcomeOf(async () => (await old.get()).b === meant)
  return { oldReader, newReader, oldWriter: newReader, newWriter }
}

/** A new writer leaves the field out, because it has a default; an old one never does. */
async function leftOut(context: SceneContext): Promise<Verdicts> {
  const [old, now] = [context.old.x({ id: "1" }), context.now.x({ id: "1" })]
  await cleared(context)
  await now.set({ a: "1" })
  const oldReader = await outcomeOf(async () => (await old.get()).b === null)
  const oldWriter = oldReader === "fails" ? "fails to read" : oldReader
  await cleared(context)
  await old.set({ a: "1", b: "x" })
  const newReader = await outcomeOf(async () => (await now.get()).b === "x")
  const newWriter = await outcomeOf(async () => (await now.set({ a: "2" }), (await now.get()).a === "2"))
  return { oldReader, newReader, oldWriter, newWriter }
}

export const fieldScenes: readonly Scene[] = [
  document("FIELD.ADDED", z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string().optional() })),
  document("FIELD.REMOVED", z.object({ a: z.string(), b: z.string().optional() }), z.object({ a: z.string() })),
  document("FIELD.DEFAULTED", z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string().default("x") })),
  document("FIELD.REQUIRED", z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string() })),
  document(
    "FIELD.REQUIRED",
    z.object({ a: z.string(), b: z.string().optional() }),
    z.object({ a: z.string(), b: z.string() }),
  ),
  document("FIELD.RELAXED", z.object({ a: z.string(), b: z.string() }), z.object({ a: z.string() })),
  document(
    "FIELD.RELAXED",
    z.object({ a: z.string(), b: z.string() }),
    z.object({ a: z.string(), b: z.string().optional() }),
  ),
  { ...document("FIELD.DEFAULT", withDefault("q"), withDefault("r")), meets: readAbsent },
  { ...document("FIELD.DEFAULT", withoutDefault, withDefault("r")), meets: readAbsent },
  { ...document("FIELD.DEFAULT", withDefault("q"), withoutDefault), meets: readAbsent },
  {
    ...document(
      "FIELD.DEFAULT",
      z.object({ a: z.string(), b: z.string().nullable().optional() }),
      z.object({ a: z.string(), b: z.string().nullable().default(null) }),
    ),
    meets: readAbsent,
  },
  {
    ...document(
      "FIELD.RENAMED",
      z.object({ a: z.string(), b: z.string() }),
      z.object({ a: z.string(), c: z.string().meta({ was: "b" }) }),
    ),
    renamed: { b: "c" },
  },
  {
    ...document(
      "FIELD.RENAMED",
      z.object({ a: z.string(), b: z.string().optional() }),
      z.object({ a: z.string(), c: z.string().optional().meta({ was: "b" }) }),
    ),
    renamed: { b: "c" },
  },
  document("FIELD.TYPE", z.object({ a: z.string() }), z.object({ a: z.number() })),
  document("FIELD.TYPE", z.object({ a: z.string() }), z.object({ a: z.string().nullable() })),
  document("FIELD.TYPE", z.object({ a: z.int() }), z.object({ a: z.number() })),
  document("FIELD.TYPE", z.object({ a: z.enum(["x", "y"]) }), z.object({ a: z.string() })),
  document("ENUM.ADDED", status("new", "paid"), status("new", "paid", "sent")),
  document("ENUM.REMOVED", status("new", "paid", "sent"), status("new", "paid")),
  document(["ENUM.ADDED", "ENUM.REMOVED"], status("new", "paid"), status("new", "sent")),
  document("LIMIT.TIGHTENED", z.object({ a: z.number() }), z.object({ a: z.number().min(0) })),
  document("LIMIT.TIGHTENED", z.object({ a: z.string() }), z.object({ a: z.string().max(5) })),
  document("LIMIT.LOOSENED", z.object({ a: z.number().max(5) }), z.object({ a: z.number().max(9) })),
  document("LIMIT.LOOSENED", z.object({ a: z.array(z.int()).max(1) }), z.object({ a: z.array(z.int()).max(3) })),
  document("CONTENT.CLOSED", z.object({ a: z.string() }), z.strictObject({ a: z.string() })),
  document("CONTENT.OPENED", z.strictObject({ a: z.string() }), z.object({ a: z.string() })),
  document(
    "FIELD.ADDED",
    z.strictObject({ a: z.string() }),
    z.strictObject({ a: z.string(), b: z.string().optional() }),
  ),
  document(
    "FIELD.REMOVED",
    z.strictObject({ a: z.string(), b: z.string().optional() }),
    z.strictObject({ a: z.string() }),
  ),
  document("FIELD.RELAXED", z.strictObject({ a: z.string(), b: z.string() }), z.strictObject({ a: z.string() })),
  document("FIELD.REQUIRED", z.strictObject({ a: z.string() }), z.strictObject({ a: z.string(), b: z.string() })),
  document([], z.object({ a: z.union([z.string(), z.int()]) }), z.object({ a: z.union([z.int(), z.string()]) })),
  document("LIMIT.LOOSENED", z.object({ a: z.number().gt(0) }), z.object({ a: z.number().gte(0) })),
  document("LIMIT.TIGHTENED", z.object({ a: z.number().gte(0) }), z.object({ a: z.number().gt(0) })),
  {
    ...document(
      "FIELD.RELAXED",
      z.object({ a: z.string(), b: z.string().nullable() }),
      z.object({ a: z.string(), b: z.string().nullable().default(null) }),
    ),
    meets: leftOut,
  },
  // By their places, each of its own type.
  document("FIELD.TYPE", z.tuple([z.string(), z.number()]), z.tuple([z.string(), z.int()])),
  document(["FIELD.TYPE", "FIELD.TYPE"], z.tuple([z.string(), z.number()]), z.tuple([z.number(), z.string()])),
  document(["LIMIT.LOOSENED", "LIMIT.TIGHTENED"], z.tuple([z.string()]), z.tuple([z.string(), z.int()])),
  // Dictionaries of listed names.
  document("FIELD.REQUIRED", z.record(z.enum(["a", "b"]), z.int()), z.record(z.enum(["a", "b", "c"]), z.int())),
  document("FIELD.ADDED", z.partialRecord(z.enum(["a"]), z.int()), z.partialRecord(z.enum(["a", "b"]), z.int())),
  document("FIELD.REMOVED", z.partialRecord(z.enum(["a", "b"]), z.int()), z.partialRecord(z.enum(["a"]), z.int())),
  document(
    ["CONTENT.OPENED", "LIMIT.LOOSENED"],
    z.partialRecord(z.enum(["a", "b"]), z.int()),
    z.record(z.string(), z.int()),
  ),
  document("FIELD.TYPE", z.record(z.string(), z.number()), z.record(z.string(), z.int())),
  value("ENUM.ADDED", oneOf("a", "b"), oneOf("a", "b", "c")),
  value("ENUM.REMOVED", oneOf("a", "b", "c"), oneOf("a", "b")),
  value("LIMIT.TIGHTENED", int, int({ min: 0 })),
  value("LIMIT.LOOSENED", int({ min: 0, max: 5 }), int({ min: 0, max: 9 })),
  value(["LIMIT.LOOSENED", "LIMIT.TIGHTENED"], int({ min: 0, max: 5 }), int({ min: 3, max: 9 })),
  scene("FIELD.ADDED", hash("x:{id}", { a: text }), hash("x:{id}", { a: text, b: optional(text) })),
  scene("FIELD.REMOVED", hash("x:{id}", { a: text, b: optional(text) }), hash("x:{id}", { a: text })),
  scene("FIELD.REQUIRED", hash("x:{id}", { a: text }), hash("x:{id}", { a: text, b: text })),
  scene("FIELD.RELAXED", hash("x:{id}", { a: text, b: text }), hash("x:{id}", { a: text })),
  scene("FIELD.RELAXED", hash("x:{id}", { a: text, b: text }), hash("x:{id}", { a: text, b: optional(text) })),
  scene("CODEC.AMBIGUOUS", hash("x:{id}", { a: unixSeconds }), hash("x:{id}", { a: unixMillis })),
  scene("ENUM.REMOVED", stream("x", { a: oneOf("a", "b") }), stream("x", { a: oneOf("a") })),
]
