/* Kinds of keys. */

import * as z from "zod"
import {
  bitmap,
  counter,
  geo,
  hash,
  hyperloglog,
  int,
  json,
  list,
  map,
  set,
  string,
  text,
  zset,
} from "../../../index.ts"
import { scene, type Scene } from "./scene.cases.ts"

export const kindScenes: readonly Scene[] = [
  scene("KIND.TYPE", string("x:{id}", text), list("x:{id}", text)),
  scene("KIND.TYPE", list("x:{id}", text), string("x:{id}", text)),
  scene("KIND.TYPE", list("x:{id}", text), set("x:{id}", text)),
  scene("KIND.TYPE", hash("x:{id}", { a: text }), string("x:{id}", json(z.object({ a: z.string() })))),
  scene("KIND.TYPE", set("x:{id}", text), zset("x:{id}", text)),
  scene("KIND.SAME_TYPE", hash("x:{id}", { a: text }), map("x:{id}", text, text)),
  scene("KIND.SAME_TYPE", map("x:{id}", text, text), hash("x:{id}", { a: text })),
  scene("KIND.SAME_TYPE", string("x:{id}", int), counter("x:{id}")),
  scene("KIND.SAME_TYPE", string("x:{id}", text), counter("x:{id}")),
  scene("KIND.SAME_TYPE", counter("x:{id}"), string("x:{id}", text)),
  scene("KIND.SAME_TYPE", zset("x:{id}", text), geo("x:{id}", text)),
  scene("KIND.SAME_TYPE", geo("x:{id}", text), zset("x:{id}", text)),
  scene("KIND.SAME_TYPE", string("x:{id}", text), bitmap("x:{id}")),
  scene("KIND.SAME_TYPE", bitmap("x:{id}"), string("x:{id}", text)),
  scene("KIND.SAME_TYPE", bitmap("x:{id}"), counter("x:{id}")),
  scene("KIND.SAME_TYPE", counter("x:{id}"), bitmap("x:{id}")),
  scene("KIND.SAME_TYPE", hyperloglog("x:{id}", text), string("x:{id}", text)),
  scene("KIND.SAME_TYPE", string("x:{id}", text), hyperloglog("x:{id}", text)),
  scene("KIND.SAME_TYPE", bitmap("x:{id}"), hyperloglog("x:{id}", text)),
  scene("KIND.SAME_TYPE", hyperloglog("x:{id}", text), bitmap("x:{id}")),
  scene("KIND.SAME_TYPE", counter("x:{id}"), hyperloglog("x:{id}", text)),
  scene("KIND.SAME_TYPE", hyperloglog("x:{id}", text), counter("x:{id}")),
]
