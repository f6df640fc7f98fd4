/* A database that goes away in the middle of a transaction. */

import { once } from "node:events"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPostgres, type RealPostgres } from "../../test/real-postgres.ts"
import { openSource, SourceUnavailable, type OpenSource } from "./source.ts"

describe.runIf(needs("postgresql"))("PostgreSQL", () => {
  let postgres: RealPostgres
  let source: OpenSource
  const lost = new EventTarget()
  beforeAll(async () => {
    postgres = await startPostgres()
    source = openSource(postgres.url, () => void lost.dispatchEvent(new Event("lost")))
  })
  afterAll(async () => {
    await source?.close()
    await postgres?.stop()
  })

  it("that goes away between two queries of a transaction fails it, and nothing else", async () => {
    const transaction = source.transaction(async (open) => {
      await sql`select 1`.execute(open)
      const isLost = once(lost, "lost")
      await postgres.kill()
      await isLost
      await sql`select 2`.execute(open)
    })
    await expect(transaction).rejects.toThrow(SourceUnavailable)
    await postgres.restart()
    await source.ping()
  })
})
