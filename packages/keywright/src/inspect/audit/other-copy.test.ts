/* A schema that comes with another copy of the toolkit, as one in a package of node_modules does for the command
 * line's bundle, and for a program that has two versions of it. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import { expect, it } from "vitest"
import { connect } from "../../client/connect.ts"
import { onBothServers } from "../../client/servers.cases.ts"
import { isKeywrightError, KeywrightError, SchemaError } from "../../errors/error.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { inspectKey } from "../model/inspect-key.ts"
import { audit } from "./audit.ts"

const CANARY = "CANARY-0123456789-abcdefghij"

const source = `
export { SchemaError } from "./errors/error.ts"
import { json } from "./schema/codec/json.ts"
import { entity } from "./schema/entity.ts"
import { string } from "./schema/define.ts"
import { keyspace } from "./schema/keyspace.ts"
const any = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } }
export const schema = keyspace(
  {
    user: entity("user:{id}", json(any), { secret: ["password"], all: "users", unique: { email: "email" } }),
    page: string("page:{id}", json(any)),
  },
  { ttl: "never" },
)
`

async function otherCopy() {
  const folder = await mkdtemp(join(tmpdir(), "keywright-copy-"))
  try {
    const outfile = join(folder, "schema.mjs")
    const resolveDir = fileURLToPath(new URL("../..", import.meta.url))
    await build({
      stdin: { contents: source, resolveDir, loader: "ts" },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "node",
      outfile,
    })
    return (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
      schema: Keyspace
      SchemaError: typeof SchemaError
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const copy = await otherCopy()

onBothServers("a schema of another copy of the toolkit", (server) => {
  it("is audited past what its codecs refuse, and nothing secret is shown", async () => {
    const { driver } = server()
    await driver.send(["SET", "user:1", `{"id":"1","email":"a@example.com","password":"${CANARY}`])
    await driver.send(["SET", "page:1", "neither"])
    const { findings } = await audit(copy.schema, driver)
    expect(findings.map(({ code, key }) => `${code} ${key}`)).toEqual(
      expect.arrayContaining(["VALUE.UNDECODABLE user:1", "VALUE.UNDECODABLE page:1"]),
    )
    const shown = await inspectKey(copy.schema, driver, "user:1")
    expect(shown.value).toEqual({ undecodable: "json", raw: "…" })
    expect(JSON.stringify([findings, shown])).not.toContain("CANARY")
  })

  it("is read by a client, whose errors are of the client's copy", async () => {
    const { driver, target } = server()
    await driver.send(["SET", "page:1", "neither"])
    const db = (await connect(copy.schema, target)) as unknown as {
      page: (params: object) => { get(): Promise<unknown> }
      $close(): Promise<void>
    }
    await expect(db.page({ id: "1" }).get()).rejects.toMatchObject({ code: "VALUE.UNDECODABLE" })
    await db.$close()
  })
})

it("an error of another copy is one of the toolkit's; others are not", () => {
  const theirs = new copy.SchemaError("CODEC.JSON", "theirs")
  expect([theirs instanceof KeywrightError, isKeywrightError(theirs)]).toEqual([false, true])
  expect(isKeywrightError(new SchemaError("CODEC.JSON", "ours"))).toBe(true)
  const others = [new Error("x"), Object.assign(new Error("x"), { code: "ENOENT" }), { code: "CODEC.JSON" }, null, "x"]
  expect(others.map(isKeywrightError)).not.toContain(true)
})
