/* How long, and how much. */

import {
  counter,
  either,
  fixed,
  keyspace,
  list,
  sliding,
  string,
  text,
  upTo,
  zset,
  type Keyspace,
} from "../../../index.ts"
import { scene, type Scene } from "./scene.cases.ts"

export const lifeScenes: readonly Scene[] = [
  scene("TTL.ADDED", string("x:{id}", text), string("x:{id}", text, { ttl: "30d" })),
  scene("TTL.REMOVED", string("x:{id}", text, { ttl: "30d" }), string("x:{id}", text)),
  scene("TTL.SHORTENED", string("x:{id}", text, { ttl: "30d" }), string("x:{id}", text, { ttl: "7d" })),
  scene("TTL.LENGTHENED", string("x:{id}", text, { ttl: "7d" }), string("x:{id}", text, { ttl: "30d" })),
  scene("TTL.SHORTENED", list("x:{id}", text, { ttl: sliding("30d") }), list("x:{id}", text, { ttl: sliding("7d") })),
  scene("TTL.SHORTENED", string("x:{id}", text, { ttl: "30d" }), string("x:{id}", text, { ttl: upTo("30d") })),
  scene("TTL.ADDED", string("x:{id}", text, { ttl: either("1d", "never") }), string("x:{id}", text, { ttl: "1d" })),
  scene(
    "TTL.REMOVED",
    string("x:{id}", text, { ttl: either("1h", "1d") }),
    string("x:{id}", text, { ttl: either("1h", "1d", "never") }),
  ),
  scene("TTL.MODE", string("x:{id}", text, { ttl: "1d" }), string("x:{id}", text, { ttl: sliding("1d") })),
  scene("TTL.MODE", string("x:{id}", text, { ttl: sliding("1d") }), string("x:{id}", text, { ttl: "1d" })),
  scene("TTL.MODE", counter("x:{id}", { ttl: fixed("1d") }), counter("x:{id}", { ttl: "1d" })),
  scene("TTL.MODE", counter("x:{id}", { ttl: "1d" }), counter("x:{id}", { ttl: fixed("1d") })),
  scene("KEEP.LOWERED", list("x:{id}", text, { keep: 30 }), list("x:{id}", text, { keep: 3 })),
  scene("KEEP.RAISED", list("x:{id}", text, { keep: 3 }), list("x:{id}", text, { keep: 30 })),
  scene("KEEP.LOWERED", zset("x:{id}", text), zset("x:{id}", text, { keep: 3 })),
  scene("KEEP.RAISED", zset("x:{id}", text, { keep: 3 }), zset("x:{id}", text)),
  {
    title: "TTL.DECIDED",
    codes: ["TTL.DECIDED"],
    before: keyspace({ x: string("x:{id}", text) }) as Keyspace,
    after: keyspace({ x: string("x:{id}", text, { ttl: "never" }) }) as Keyspace,
  },
  {
    title: "TTL.UNDECIDED",
    codes: ["TTL.UNDECIDED"],
    before: keyspace({ x: string("x:{id}", text, { ttl: "never" }) }) as Keyspace,
    after: keyspace({ x: string("x:{id}", text) }) as Keyspace,
  },
]
