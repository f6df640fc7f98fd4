import assert from "node:assert/strict"
import { after, beforeEach, test } from "node:test"
import { expectClean, useEngine } from "keywright/testing"
import { links } from "./schema.ts"

const { db, forward } = await useEngine(links, { beforeEach, after })

test("a slug has one owner", async () => {
  await db.link.create({ slug: "kw", url: "https://example.com/1", owner: "ann" })
  await assert.rejects(db.link.create({ slug: "kw", url: "https://example.com/2", owner: "bob" }), {
    code: "INDEX.UNIQUE_TAKEN",
  })
  await expectClean(db)
})

test("a preview is gone after ten minutes", async () => {
  await db.preview({ slug: "kw" }).set("<h1>")
  await forward("10m")
  assert.equal(await db.preview({ slug: "kw" }).get(), undefined)
})
