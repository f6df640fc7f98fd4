import { expect, it } from "vitest"
import * as z from "zod"
import * as k from "../../index.ts"
import type { Key } from "../../schema/key.ts"
import { exampleCommand } from "./example-value.ts"

const { text, int, id, secret, json } = k
const Doc = z.object({
  id: z.string(),
  ownerId: z.string(),
  fullName: z.string(),
  pin: z.string(),
  n: z.int(),
  tags: z.array(z.string()),
  at: z.iso.datetime(),
  sex: z.enum(["M", "F"]),
  price: z.number().nullable(),
  left: z.string().optional(),
})

it.each<[entry: unknown, command: string]>([
  [k.string("a:{user}", text), "SET a:user1 value1"],
  [k.string("a:{who}", text, { params: { who: id("user", { example: "U-1" }) } }), "SET a:U-1 value1"],
  [k.string("a:{t}", text, { params: { t: secret(id("token")) }, secret: true }), "SET a:••• •••"],
  [k.counter("c"), "INCR c"],
  [k.counter("c", { value: k.float }), "INCRBYFLOAT c 1.5"],
  [k.hash("h", { name: text, pin: secret(text) }), "HSET h name name1 pin •••"],
  [k.map("m", id("user"), int), "HSET m user1 42"],
  [k.list("l", text), "RPUSH l item1"],
  [k.set("s", id("dish")), "SADD s dish1"],
  [k.zset("z", text), "ZADD z 1.5 member1"],
  [k.stream("x", { a: text }), "XADD x * a a1"],
  [k.bitmap("b"), "SETBIT b 7 1"],
  [k.hyperloglog("p", text), "PFADD p member1"],
  [k.geo("g", id("shop")), "GEOADD g 106.7 10.8 shop1"],
  [k.string("d", json(z.object({}))), "SET d '{}'"],
  [
    k.string("p:{id}", json(Doc), { secret: ["pin"], params: { id: int } }),
    `SET p:42 '{"id":"42","ownerId":"42","fullName":"some full name","pin":"•••","n":1,"tags":["some tag"],"at":"2026-01-31T12:00:00.000Z","sex":"M","price":9.5}'`,
  ],
])("row %#", (entry, command) => {
  const [key] = k.keyspace({ entry } as unknown as Record<string, never>).keys as readonly Key[]
  expect(exampleCommand(key!)).toBe(command)
})
