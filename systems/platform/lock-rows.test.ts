/* Rows that transactions lock stay when they are over: clients must not decide how many there are. */

import { sql as raw, type Kysely } from "kysely"
import { expect, it } from "vitest"
import { lock } from "../carto/source/lock.ts"
import { createTables as createCarto } from "../carto/tables.ts"
import { lockUsers } from "../messaging/source/users.ts"
import { createTables as createMessaging } from "../messaging/tables.ts"
import { LOCK_ROWS, lockRows } from "./lock-rows.ts"
import { openSource } from "./source.ts"

const invented = Array.from({ length: 20 * LOCK_ROWS }, (_, n) => `nobody${n}`)

it("a name always has the same row, and rows are locked in one order", () => {
  const [one, other] = [lockRows(["a"])[0]!, lockRows(["b"])[0]!]
  expect(one).not.toBe(other)
  const both = [one, other].sort((a, b) => a - b)
  expect([lockRows(["a", "b"]), lockRows(["b", "a", "b"])]).toEqual([both, both])
})

it.each([
  ["messaging_locks", createMessaging, (sql, name) => lockUsers(sql, { project: "p", service: "s" }, [name])],
  ["carto_locks", createCarto, (sql, name) => lock(sql, "user", name)],
] as const satisfies [string, (sql: Kysely<never>) => Promise<void>, (sql: never, name: string) => Promise<void>][])(
  "names that clients invent leave a limited number of rows in %s",
  async (table, create, lockName) => {
    const source = openSource(undefined, (error) => expect.fail(error.message))
    try {
      await source.ask((sql) => create(sql as never))
      await source.transaction(async (sql) => {
        for (const name of invented) await lockName(sql as never, name)
      })
      const { rows } = await source.ask((sql) =>
        raw<{ n: number }>`select count(*) n from ${raw.table(table)}`.execute(sql),
      )
      expect(rows).toEqual([{ n: LOCK_ROWS }])
    } finally {
      await source.close()
    }
  },
)
