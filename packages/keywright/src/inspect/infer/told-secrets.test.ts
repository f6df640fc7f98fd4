/* What sounds secret in the data of a server that nobody documented: the proposal says that it is, wherever it is, and
 * never what it is. */

import { expect, it } from "vitest"
import { exportKeys } from "../../change/copy/export-keys.ts"
import { dagreLayout } from "../../cli/diagram-layout.ts"
import type { Command } from "../../driver/driver.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"
import { html } from "../../render/page/html.ts"
import { markdown } from "../../render/page/markdown.ts"
import { inferSource } from "../../render/source/infer-source.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { infer, type Inference } from "./infer.ts"

const server = redisForSuite()

/** Often enough for an enumeration, which a proposal spells out. */
const TIMES = 320

/** In each, the same few secrets come again and again. */
const places: Readonly<Record<string, (secret: string, n: number) => Command>> = {
  "a field of a hash": (secret, n) => ["HSET", `account:${n}`, "name", `n${n}`, "password", secret],
  "a field of a document": (secret, n) => ["SET", `doc:${n}`, JSON.stringify({ id: n, password: secret })],
  "a field inside a document": (secret, n) => ["SET", `doc:${n}`, JSON.stringify({ id: n, db: { password: secret } })],
  "a document that is called so": (secret, n) => [
    "SET",
    `doc:${n}`,
    JSON.stringify({ id: n, credentials: { a: secret } }),
  ],
  "a list that is called so, in a document": (secret, n) => [
    "SET",
    `doc:${n}`,
    JSON.stringify({ id: n, tokens: [secret] }),
  ],
  "documents in a list": (secret, n) => ["RPUSH", "jobs", JSON.stringify({ id: n, all: [{ apiKey: secret }] })],
  "a document in a field of a hash": (secret, n) => [
    ...["HSET", `user:${n}`, "n", `${n}`, "profile", JSON.stringify({ id: n, password: secret })],
  ],
  "a field of a hash whose fields are data": (secret, n) => [
    ...["HSET", "settings", n % 9 === 0 ? `${["smtp", "ftp", "db"][n % 3]!}_password` : `a${n % 60}`, secret],
  ],
  "a field of a stream": (secret, n) => ["XADD", "log", "*", "n", `${n}`, "token", secret],
  "a document in a stream": (secret, n) => [
    "XADD",
    "log",
    "*",
    "n",
    `${n}`,
    "body",
    JSON.stringify({ password: secret }),
  ],
  "the value of a key that is called so": (secret, n) => ["SET", `reset-token:${n}`, secret],
  "the items of a list that is called so": (secret) => ["RPUSH", "old:passwords", secret],
  "the values of a map that is called so": (secret, n) => ["HSET", `secrets:${n % 5}`, `user${n}`, secret],
  "the fields of a map that is called so": (secret, n) => ["HSET", "tokens", `${secret}${n}`, `user${n}`],
  "the fields of a hash that is called so": (secret, n) => [
    "HSET",
    `credentials:${n}`,
    "user",
    `u${n}`,
    "value",
    secret,
  ],
  "the fields of a stream that is called so": (secret, n) => ["XADD", "tokens", "*", "user", `u${n}`, "value", secret],
  "a document that a key called so holds": (secret, n) => [
    ...["SET", `secret:${n}`, JSON.stringify({ name: `n${n}`, of: [{ value: secret }] })],
  ],
  "a document in quotes": (secret, n) => [
    ...["SET", `doc:${n}`, JSON.stringify(JSON.stringify({ id: n, password: secret }))],
  ],
  "a document that is text in another": (secret, n) => [
    ...["SET", `doc:${n}`, JSON.stringify({ id: n, body: JSON.stringify({ password: secret }) })],
  ],
  "the password of an address": (secret, n) => [
    "HSET",
    `app:${n}`,
    "n",
    `${n}`,
    "database",
    `postgres://app:${secret}@db`,
  ],
  "records that are called so": (secret, n) =>
    n % 4 < 2 ? ["HSET", `secret:${n}`, "id", `${n}`, "value", secret] : ["SADD", "secret:all", `${n - 2}`],
  "documents of records that are called so": (secret, n) =>
    n % 4 < 2 ? ["SET", `secret:${n}`, JSON.stringify({ id: n, value: secret })] : ["SADD", "secret:all", `${n - 2}`],
}

/** All that is shown of a server without being asked for its secrets. */
async function shown(found: Inference): Promise<string> {
  const keyspace = fromJson(found.form)
  const lines: string[] = []
  await exportKeys(keyspace, server.driver, (text) => void lines.push(text))
  const sources = (["zod", "valibot", "arktype"] as const).map((library) =>
    inferSource(found, { library, day: "2026-01-01" }),
  )
  return [JSON.stringify(found), ...sources, markdown(keyspace), html(keyspace, dagreLayout, ""), ...lines].join("\n")
}

it.each(Object.entries(places))("is not told of %s", async (_, write) => {
  await server.driver.send(["FLUSHALL"])
  const secrets = ["CANARY_ONE", "CANARY_TWO"]
  await server.driver.batch(Array.from({ length: TIMES }, (_none, n) => write(secrets[n % 2]!, n)))
  expect(await shown(await infer(server.driver))).not.toContain("CANARY")
})
