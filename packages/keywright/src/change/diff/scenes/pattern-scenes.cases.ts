/* Names, patterns and parameters. */

import {
  compactDay,
  database,
  day,
  id,
  int,
  keyspace,
  scope,
  sharded,
  string,
  text,
  unixMillis,
  unixSeconds,
  type Keyspace,
} from "../../../index.ts"
import { scene, forever, type Scene } from "./scene.cases.ts"

export const patternScenes: readonly Scene[] = [
  {
    ...scene("NAME.ENTRY", string("x:{id}", text), string("x:{id}", text)),
    after: keyspace({ y: string("x:{id}", text, { was: "x" }) }, forever) as Keyspace,
    names: ["x", "y"],
  },
  scene("NAME.ID", string("x:{a}", id("cart")), string("x:{a}", id("basket"))),
  scene([], string("x:{a}", text), string("x:{b}", text, { doc: "The same.", deprecated: "no", when: "always" })),
  scene("PATTERN.MOVED", string("x:{id}", text), string("y:{id}", text)),
  scene("PATTERN.MOVED", string("x:{id}", text), string("x:{id}:v", text)),
  scene("PATTERN.PARAMS", string("x:{a}", text), string("x:{a}:{b}", text)),
  scene("PATTERN.PARAMS", string("x:{a}:{b}", text), string("x:{b}:{a}", text)),
  scene("TAG.CHANGED", string("x:{id}", text), string("x:{{id}}", text)),
  {
    ...scene("TAG.CHANGED", string("x:{id}", text), string("x:{id}", text)),
    title: "TAG.CHANGED by the number of shards",
    before: keyspace({ s: sharded(8, "id", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    after: keyspace({ s: sharded(16, "id", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    names: ["s.x", "s.x"],
  },
  {
    ...scene("TAG.CHANGED", string("x:{id}", text), string("x:{id}", text)),
    title: "TAG.CHANGED by the parameter that decides the shard",
    before: keyspace({ s: sharded(8, "a", { x: string("x:{a}:{b}", text) }) }, forever) as Keyspace,
    after: keyspace({ s: sharded(8, "b", { x: string("x:{a}:{b}", text) }) }, forever) as Keyspace,
    names: ["s.x", "s.x"],
  },
  {
    ...scene([], string("x:{id}", text), string("x:{id}", text)),
    title: "no change: the parameter that decides the shard has another name",
    before: keyspace({ s: sharded(8, "a", { x: string("x:{a}", text) }) }, forever) as Keyspace,
    after: keyspace({ s: sharded(8, "b", { x: string("x:{b}", text) }) }, forever) as Keyspace,
    names: ["s.x", "s.x"],
  },
  {
    ...scene("DB.MOVED", string("x:{id}", text), string("x:{id}", text)),
    before: keyspace({ d: database(0, "one", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    after: keyspace({ d: database(3, "other", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    names: ["d.x", "d.x"],
  },
  {
    ...scene("PATTERN.MOVED", string("x:{id}", text), string("x:{id}", text)),
    title: "PATTERN.MOVED by the prefix of a scope",
    before: keyspace({ d: scope("a:", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    after: keyspace({ d: scope("b:", { x: string("x:{id}", text) }) }, forever) as Keyspace,
    names: ["d.x", "d.x"],
  },
  scene(
    "PARAM.SPELLING",
    string("x:{d}", text, { params: { d: day } }),
    string("x:{d}", text, { params: { d: compactDay } }),
  ),
  scene(
    "PARAM.SPELLING",
    string("x:{t}", text, { params: { t: unixSeconds } }),
    string("x:{t}", text, { params: { t: unixMillis } }),
  ),
  scene("PARAM.WIDENED", string("x:{a}", text, { params: { a: int } }), string("x:{a}", text)),
  scene("PARAM.NARROWED", string("x:{a}", text), string("x:{a}", text, { params: { a: int } })),
  scene(
    "PARAM.NARROWED",
    string("x:{a}", text, { params: { a: id("a") } }),
    string("x:{a}", text, { params: { a: id("a", { matching: /[0-9a-f]+/, example: "0a" }) } }),
  ),
]
