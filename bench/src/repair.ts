/* Repair of 100,000 broken index entries, against the same SREMs pipelined without any check.
 *
 * Half of the entries lead to nothing; the other half, in a run of its own, to records
 * that belong elsewhere, whose documents are compared by digest. The plan is made once;
 * carrying it out is what is timed, with the journal that a crash is survived by. */

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { applyRepair } from "../../packages/keywright/src/change/carry-out/carry-out.ts"
import { planRepair } from "../../packages/keywright/src/change/make-plan/plan-repair.ts"
import type { Command, Driver } from "../../packages/keywright/src/driver/driver.ts"
import { openResp } from "../../packages/keywright/src/driver/resp/open-resp.ts"
import { audit } from "../../packages/keywright/src/inspect/audit/audit.ts"
import type { Keyspace } from "keywright"
import { commands, usersFor } from "./audit/data.ts"
import { mixed } from "./audit/keyspace.ts"
import { serverWith } from "./audit/server.ts"
import type { Bench } from "./harness.ts"
import { median } from "./harness-stats.ts"
import { timed } from "./harness-timed.ts"

const schema = mixed as unknown as Keyspace
const ENTRIES = 100_000
const CATEGORIES = 50
const ROUNDS = 15
const PIPELINE = 1000

export default async function (bench: Bench): Promise<void> {
  const server = await serverWith(commands(usersFor(bench.full ? 1_000_000 : 200_000)))
  const driver = openResp(server.url)
  const dishes = Number(await driver.send(["SCARD", "dish:list"]))
  try {
    const entry = (i: number) => `dish:index:category:${i % CATEGORIES}`
    await measure(bench, driver, "entries of nothing", ENTRIES, (i) => [entry(i), `ghost${i}`])
    // Every dish in several wrong categories.
    const stale = Math.min(ENTRIES, dishes * 40)
    await measure(bench, driver, "entries that belong elsewhere", stale, (i) => {
      const dish = 1 + (i % dishes)
      return [entry(dish + 1 + Math.floor(i / dishes)), String(dish)]
    })
  } finally {
    await driver.close()
    await server.stop()
  }
}

async function measure(
  bench: Bench,
  driver: Driver,
  name: string,
  count: number,
  entry: (i: number) => readonly [string, string],
): Promise<void> {
  const entries = Array.from({ length: count }, (_, i) => entry(i))
  const all = (command: string): Command[] => entries.map(([key, member]) => [command, key, member])
  await pipelined(driver, all("SADD"))
  const started = performance.now()
  const { findings } = await audit(schema, driver, { limit: 2 * ENTRIES })
  const planning = performance.now()
  const plan = await planRepair(findings, schema, driver)
  const audited = planning - started
  bench.say(
    `${name}: ${plan.actions.length} actions; audit ${audited.toFixed(0)} ms, plan ${(performance.now() - planning).toFixed(0)} ms`,
  )
  const folder = await mkdtemp(join(tmpdir(), "keywright-bench-repair-"))
  const ratios: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await pipelined(driver, all("SADD"))
      const plain = await timed(() => pipelined(driver, all("SREM")))
      await pipelined(driver, all("SADD"))
      const checked = await timed(async () => {
        const { done } = await applyRepair(plan, driver, { journal: join(folder, String(round)) })
        if (done !== plan.actions.length) throw new Error(`${done} of ${plan.actions.length} done`)
      })
      ratios.push(plain / checked)
      bench.say(`  plain SREMs ${plain.toFixed(0)} ms, repair ${checked.toFixed(0)} ms`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  bench.report(`repair, ${name}: speed beside plain SREMs`, median(ratios), ">=0.5")
}

async function pipelined(driver: Driver, list: readonly Command[]): Promise<void> {
  const running: Promise<unknown>[] = []
  for (let at = 0; at < list.length; at += PIPELINE) {
    running.push(driver.batch(list.slice(at, at + PIPELINE)))
    if (running.length >= 4) await running.shift()
  }
  await Promise.all(running)
}
