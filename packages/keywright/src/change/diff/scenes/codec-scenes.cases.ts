/* Codecs of values, members, scores and columns. */

import * as z from "zod"
import {
  anyOf,
  bigint,
  bytes,
  compactDay,
  compressed,
  csv,
  day,
  decimal,
  flag,
  float,
  hyperloglog,
  id,
  int,
  isoInstant,
  json,
  list,
  looseFlag,
  many,
  map,
  month,
  oneOf,
  packedInts,
  quoted,
  set,
  string,
  tagged,
  text,
  unixMillis,
  unixSeconds,
  zset,
} from "../../../index.ts"
import { cleared, outcomeOf, type SceneContext } from "../experiment/scene-context.cases.ts"
import type { Verdicts } from "../verdict.ts"
import { scene, value, type Scene } from "./scene.cases.ts"

/** Programs of both count the same two, one after the other: there are two. */
async function counted(context: SceneContext): Promise<Verdicts> {
  const { scene, old, now } = context
  const isDays = scene.codes.length > 0
  const add = (db: typeof old, isText: boolean) =>
    db.x({ id: "1" }).addMany(isDays ? ["2026-01-02", "2026-01-03"] : isText ? ["1", "2"] : [1, 2])
  const count = (db: typeof old) => outcomeOf(async () => (await db.x({ id: "1" }).count()) === 2)
  await cleared(context)
  await add(old, true)
  const newReader = await count(now)
  await add(now, false)
  const newWriter = await count(now)
  await cleared(context)
  await add(now, false)
  const oldReader = await count(old)
  await add(old, true)
  return { oldReader, newReader, oldWriter: await count(old), newWriter }
}

export const codecScenes: readonly Scene[] = [
  value("CODEC.WIDENED", int, float),
  value("CODEC.WIDENED", int, text),
  value("CODEC.WIDENED", int, decimal),
  value("CODEC.WIDENED", flag, looseFlag),
  value("CODEC.WIDENED", day, text),
  value("CODEC.WIDENED", oneOf("a", "b"), text),
  value("CODEC.WIDENED", compactDay, anyOf(compactDay, oneOf("total"))),
  value("CODEC.WIDENED", int, bigint),
  value("CODEC.WIDENED", many(int, ",", { length: 2 }), many(int)),
  value("CODEC.WIDENED", tagged({ u_: id("user") }), tagged({ u_: id("user"), c_: id("channel") })),
  value("CODEC.NARROWED", float, int),
  value("CODEC.NARROWED", text, int),
  value("CODEC.NARROWED", looseFlag, flag),
  value(["CODEC.NARROWED", "NAME.ID"], text, id("word", { matching: /[a-z]+/, example: "abc" })),
  scene("FIELD.TYPE", string("x:{id}", json(z.unknown())), string("x:{id}", json(z.object({ a: z.number() })))),
  value("CODEC.REPLACED", isoInstant, unixMillis),
  value("CODEC.REPLACED", day, compactDay),
  value("CODEC.REPLACED", month, day),
  value("CODEC.REPLACED", many(int, ";", { length: 2 }), many(int, ",", { length: 2 })),
  value("CODEC.AMBIGUOUS", unixSeconds, unixMillis),
  value("CODEC.AMBIGUOUS", unixMillis, unixSeconds),
  value("CODEC.AMBIGUOUS", int, unixSeconds),
  value("CODEC.AMBIGUOUS", flag, int),
  value("CODEC.COMPRESSED", json(z.object({ a: z.string() })), compressed(json(z.object({ a: z.string() })))),
  value("CODEC.COMPRESSED", compressed(json(z.object({ a: z.string() }))), json(z.object({ a: z.string() }))),
  value("CODEC.COMPRESSED", compressed(text), text),
  value("CODEC.COMPRESSED", text, compressed(text)),
  value("CODEC.REPLACED", packedInts, many(int)),
  value("CODEC.AMBIGUOUS", text, bytes),
  scene("CODEC.NARROWED", set("x:{id}", text), set("x:{id}", int)),
  scene("CODEC.WIDENED", list("x:{id}", int), list("x:{id}", float)),
  scene("CODEC.AMBIGUOUS", map("x:{id}", text, unixSeconds), map("x:{id}", text, unixMillis)),
  // What is looked for by name is missing, not refused.
  scene("MEMBER.SPELLING", map("x:{id}", day, int), map("x:{id}", compactDay, int)),
  scene("MEMBER.SPELLING", set("x:{id}", day), set("x:{id}", compactDay)),
  scene("MEMBER.SPELLING", zset("x:{id}", isoInstant), zset("x:{id}", unixMillis)),
  scene("MEMBER.SPELLING", set("x:{id}", int), set("x:{id}", quoted(int))),
  scene("CODEC.WIDENED", map("x:{id}", int, int), map("x:{id}", text, int)),
  scene("MEMBER.SPELLING", hyperloglog("x:{id}", day), hyperloglog("x:{id}", compactDay), { meets: counted }),
  scene([], hyperloglog("x:{id}", text), hyperloglog("x:{id}", int), { meets: counted }),
  value("CODEC.AMBIGUOUS", text, quoted(text)),
  value("CODEC.READ", text, many(text)),
  value("CODEC.READ", many(text), text),
  scene("SCORE.CODEC", zset("x:{id}", text, { score: unixSeconds }), zset("x:{id}", text, { score: unixMillis })),
  scene("SCORE.CODEC", zset("x:{id}", text, { score: int }), zset("x:{id}", text, { score: unixSeconds })),
  value("COLUMN.ADDED", csv({ a: int, b: int }), csv({ a: int, b: int, c: int })),
  value("COLUMN.REMOVED", csv({ a: int, b: int, c: int }), csv({ a: int, b: int })),
  value("COLUMN.ORDER", csv({ a: int, b: int }), csv({ b: int, a: int })),
  value("COLUMN.ORDER", csv({ a: int, b: day }), csv({ b: day, a: int })),
  value("CODEC.WIDENED", csv({ a: int, b: int }), csv({ a: int, b: text })),
  value([], csv({ a: int, b: int }), csv({ x: int, y: int })),
]
