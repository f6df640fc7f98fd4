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

  it.each(["a query", "its beginning"])(
    "that answers %s of a transaction too late does not take what is written after it into that transaction",
    async (what) => {
      const impatient = openSource(postgres.url, () => {}, 500)
      const backend = async (open: Parameters<Parameters<typeof impatient.ask>[0]>[0]) =>
        (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(open)).rows[0]!.pid
      const stop = (pid: number) => {
        stopped = pid
        process.kill(pid, "SIGSTOP")
      }
      let stopped = 0
      try {
        await impatient.ask((open) => sql`create table if not exists kept (what text)`.execute(open))
        if (what === "its beginning") stop(await impatient.ask(backend))
        const late = impatient.transaction(async (open) => {
          stop(await backend(open))
          await sql`select 1`.execute(open)
        })
        await expect(late).rejects.toThrow(SourceUnavailable)
        process.kill(stopped, "SIGCONT")
        await impatient.ask((open) => sql`insert into kept values (${what})`.execute(open))
        const found = await source.ask((open) => sql`select what from kept where what = ${what}`.execute(open))
        expect(found.rows).toEqual([{ what }])
      } finally {
        await impatient.close()
      }
    },
  )

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
