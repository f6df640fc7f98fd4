/* What the tables refuse, whichever program adds it. */

import type { Kysely } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../test/needs.ts"
import { startPostgres, type RealPostgres } from "../../test/real-postgres.ts"
import { openSource, type OpenSource } from "../platform/source.ts"
import { createTables, type RecommenderTables } from "./tables.ts"

function refusals(address: () => string | undefined): void {
  let source: OpenSource
  const ask = <R>(query: (sql: Kysely<RecommenderTables>) => Promise<R>) =>
    source.ask((sql) => query(sql as unknown as Kysely<RecommenderTables>))
  beforeAll(async () => {
    source = openSource(address(), () => undefined)
    await ask(createTables)
  })
  afterAll(() => source?.close())

  const challenge = { id: 1, category: 0, is_public: 1, duration: 21, created: 0 } as const
  const addChallenge = (more: { readonly id?: number; readonly category?: number }) =>
    ask((sql) =>
      sql
        .insertInto("recommender_clg")
        .values({ ...challenge, ...more })
        .execute(),
    )
  const reaction = { id: 1, post: 1, user: 1, cancelled: 0, skipped: 0 } as const
  const addReaction = (more: { readonly user?: number; readonly post?: number }) =>
    ask((sql) =>
      sql
        .insertInto("recommender_reaction")
        .values({ ...reaction, ...more })
        .execute(),
    )

  it("REC-19: ids below 1 and negative numbers, which no run could name in Redis", async () => {
    for (const wrong of [{ id: 0 }, { id: -1 }, { category: -1 }]) await expect(addChallenge(wrong)).rejects.toThrow()
    for (const wrong of [{ user: 0 }, { post: -1 }]) await expect(addReaction(wrong)).rejects.toThrow()
    await addChallenge({})
    await addReaction({})
  })
}

describe("the recommender's tables in SQLite refuse", () => refusals(() => undefined))

describe.runIf(needs("postgresql"))("the recommender's tables in PostgreSQL refuse", () => {
  let postgres: RealPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())
  refusals(() => postgres.url)
})
