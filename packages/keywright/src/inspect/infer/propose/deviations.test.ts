import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { entity, int, json, keyspace, string, toJson, type Keyspace } from "../../../index.ts"
import * as z from "zod"
import { entry, length, rdb, selectDb, string as text } from "../../rdb/rdb-writer.cases.ts"
import type { Inference, InferOptions } from "../infer.ts"
import { deviationsOf } from "./deviations.ts"

const [STRING, SET] = [0, 2]
const schema = keyspace(
  {
    user: entity("user:{id}", json(z.object({ id: z.number(), name: z.string() })), { all: "users" }),
    size: string("size:{n}", int),
  },
  { ttl: "never" },
) as unknown as Keyspace
const found = (more: Partial<Inference> = {}) =>
  ({ form: toJson(schema), keys: 4, unexplained: [], ...more }) as unknown as Inference

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-deviations-"))
  file = join(folder, "dump.rdb")
  const parts = [
    selectDb(0),
    entry(STRING, "user:1", text('{"id":1,"name":"ann"}')),
    entry(SET, "users", length(3), text("1"), text("8"), text("9")),
    entry(STRING, "size:1", text("large")),
    entry(STRING, "strange", text("x")),
  ]
  await writeFile(file, rdb("REDIS0009", parts))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const sizes = { code: "VALUE.UNDECODABLE", db: 0, pattern: "size:{n}", keys: 1, example: "size:1" }
const users = { code: "LIST.DANGLING", db: 0, pattern: "users", keys: 1, example: "users" }
const because = (reason: "a field that is not text" | "another type") =>
  ({ unexplained: [{ db: 0, reason, pattern: "size:{n}", keys: 1, examples: [] }] }) as const

it.each<[string, object[], Partial<Inference>]>([
  ["once for each code and pattern, and no keys that no pattern owns", [sizes, users], {}],
  ["without values of which it is said that they are not explained", [users], because("a field that is not text")],
  ["with values where something else is not explained", [sizes, users], because("another type")],
])("tells what audit finds, %s", async (_, expected, more) => {
  expect(await deviationsOf({ rdb: file }, found(more), {})).toEqual(expected)
})

it.each<[string, InferOptions, number]>([
  ["a part by pattern", { match: "user:*" }, 4],
  ["a sample", { sample: 0.5 }, 4],
  ["what another schema lacks", { against: schema }, 4],
  ["a large server", {}, 20_001],
])("does not know them of %s", async (_, options, keys) => {
  expect(await deviationsOf({ rdb: "/no/such/file" }, found({ keys }), options)).toBeUndefined()
})
