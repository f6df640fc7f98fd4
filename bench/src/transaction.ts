/* Transactions: attempts a success when many want one record, and what a consistent view costs.
 *
 * Attempts are counted by how often the work is called. A read-only transaction answers
 * with a state that existed; the same reads without one may answer with a mixture. */

import { connect, entity, json, keyspace } from "keywright"
import * as z from "zod"
import { runProgram } from "../../test/child-program.ts"
import { startRedis } from "../../test/real-redis.ts"
import { summarize } from "./harness-stats.ts"
import type { Bench } from "./harness.ts"

const Dish = z.object({ id: z.string(), name: z.string(), stock: z.int() })
const menu = keyspace({ dish: entity("dish:{id}", json(Dish)) }, { ttl: "never" })

const CALLERS = 64
const PROCESSES = 4
const RECORDS = 300
const dish = (i: number) => `d${i % RECORDS}`

/** argv: url, callers, calls of each. Prints how many calls succeeded, gave up as contended, and tries. */
const rival = `
import { connect, entity, json, keyspace } from "keywright"
import * as z from "zod"
const [url, callers, calls] = process.argv.slice(-3)
const Dish = z.object({ id: z.string(), name: z.string(), stock: z.int() })
const db = await connect(keyspace({ dish: entity("dish:{id}", json(Dish)) }, { ttl: "never" }), url)
let done = 0, contended = 0, tries = 0
const caller = async () => {
  for (let i = 0; i < Number(calls); i++) {
    try {
      await db.$transaction(async (t) => {
        tries++
        const hot = await t.dish.get("hot")
        await t.dish.update(hot, { stock: hot.stock + 1 })
      })
      done++
    } catch (error) {
      if (error.code !== "TRANSACTION.CONTENDED") throw error
      contended++
    }
  }
}
await Promise.all(Array.from({ length: Number(callers) }, caller))
console.log(JSON.stringify({ done, contended, tries }))
await db.$close()
`

export default async function (bench: Bench): Promise<void> {
  const server = await startRedis()
  const db = await connect(menu, server.url)
  await db.dish.create({ id: "hot", name: "Phở", stock: 0 })
  for (let i = 0; i < RECORDS; i++) await db.dish.create({ id: dish(i), name: "Phở", stock: i })

  let [tries, done] = [0, 0]
  const byTransaction = async () => {
    await db.$transaction(async (t) => {
      tries++
      const hot = (await t.dish.get("hot"))!
      await t.dish.update(hot, { stock: hot.stock + 1 })
    })
    done++
  }
  const byUpdate = async () => {
    await db.dish.update("hot", ({ stock }) => {
      tries++
      return { stock: stock + 1 }
    })
    done++
  }
  /** A round: all at once, repeated; contention that is given up counts as tries without success. */
  const attempts = async (call: () => Promise<void>) => {
    ;[tries, done] = [0, 0]
    const callers = Array.from({ length: CALLERS }, async () => {
      for (let i = 0; i < 4; i++) await call().catch((error: unknown) => void error)
    })
    await Promise.all(callers)
    return tries / done
  }
  const rounds = { transaction: [] as number[], update: [] as number[] }
  for (let round = 0; round < (bench.full ? 93 : 31); round++) {
    const order = round % 2 === 0 ? (["transaction", "update"] as const) : (["update", "transaction"] as const)
    for (const side of order) rounds[side].push(await attempts(side === "update" ? byUpdate : byTransaction))
  }
  const told = { transaction: summarize(rounds.transaction), update: summarize(rounds.update) }
  const name = `${CALLERS} callers of one record, one process`
  bench.report(`${name}: $transaction`, told.transaction.median, "<=2.5", "attempts a success")
  bench.report(`${name}: update(fn)`, told.update.median, undefined, "attempts a success")
  for (const [side, { spread, range }] of Object.entries(told))
    bench.say(`${side}: quartiles ${spread.map(short).join("–")}, min–max ${range.map(short).join("–")}`)

  await overProcesses(bench, server.url)

  const three = (i: number) => [dish(i), dish(i + 100), dish(i + 200)] as const
  const comparisons = {
    "three records at once, read-only transaction ÷ one batch": {
      goal: "<=1.3",
      ours: (i: number) => db.$transaction((t) => Promise.all(three(i).map((id) => t.dish.get(id)))),
      theirs: (i: number) => db.$batch((b) => three(i).map((id) => b.dish.get(id))),
    },
    "three records one after another, read-only transaction ÷ awaited reads": {
      goal: "<=1.5",
      ours: (i: number) =>
        db.$transaction(async (t) => {
          const found: unknown[] = []
          for (const id of three(i)) found.push(await t.dish.get(id))
          return found
        }),
      theirs: async (i: number) => {
        const found: unknown[] = []
        for (const id of three(i)) found.push(await db.dish.get(id))
        return found
      },
    },
  } as const
  for (const [what, sides] of Object.entries(comparisons)) {
    await bench.compare({ name: `${what}, 1 caller`, of: "time", ...sides })
    await bench.compare({ name: `${what}, ${CALLERS} callers`, of: "time", ...sides, concurrency: CALLERS })
  }

  await db.$close()
  await server.stop()
}

/** The same record, wanted by several processes at once. */
async function overProcesses(bench: Bench, url: string): Promise<void> {
  const calls = bench.full ? 100 : 20
  const args = [url, String(CALLERS / PROCESSES), String(calls)]
  const programs = Array.from({ length: PROCESSES }, () => runProgram(rival, args))
  const counts = await Promise.all(
    programs.map(async (program) => {
      if ((await program.ended) !== 0) throw new Error(program.errors())
      return JSON.parse(program.lines[0]!) as { done: number; contended: number; tries: number }
    }),
  )
  const sum = (field: "done" | "contended" | "tries") => counts.reduce((total, count) => total + count[field], 0)
  const name = `${CALLERS} callers of one record, ${PROCESSES} processes`
  bench.report(`${name}: CONTENDED`, (100 * sum("contended")) / (sum("done") + sum("contended")), undefined, "%")
  bench.report(`${name}: $transaction`, sum("tries") / sum("done"), undefined, "attempts a success")
}

const short = (value: number) => value.toPrecision(3)
