/* stats and audit of a server in use, against `redis-cli --memkeys`.
 *
 * The keys are those of five real keyspaces in one (audit/keyspace.ts), on a server of
 * the bench's own. Each round times --memkeys, stats and audit one after another. PING
 * is asked every few milliseconds by a thread of its own, idle and beside the walks, and once more
 * while another program keeps one core busy.
 * Memory is that of a process which does nothing but stats and audit, at once and at
 * twice the number of keys. */

import { spawn } from "node:child_process"
import type { Driver } from "../../packages/keywright/src/driver/driver.ts"
import { openResp } from "../../packages/keywright/src/driver/resp/open-resp.ts"
import { audit } from "../../packages/keywright/src/inspect/audit/audit.ts"
import { stats } from "../../packages/keywright/src/inspect/stats/stats.ts"
import type { Keyspace } from "keywright"
import { commands, usersFor } from "./audit/data.ts"
import { mixed } from "./audit/keyspace.ts"
import { pinging } from "./audit/ping.ts"
import { serverWith } from "./audit/server.ts"
import { sharesOfMemkeys } from "./audit/shares.ts"
import type { Bench } from "./harness.ts"
import { ifForMemory, memoryOf } from "./harness-memory.ts"
import { median } from "./harness-stats.ts"

const schema = mixed as unknown as Keyspace
/** A walk of the short run has time for a few hundred PINGs: the median of some is what counts. */
const ROUNDS = 5

export default async function (bench: Bench): Promise<void> {
  const keys = bench.full ? 1_000_000 : 100_000
  const server = await serverWith(commands(usersFor(keys)))
  const driver = openResp(server.url)
  bench.say(`${String(await driver.send(["DBSIZE"]))} keys`)

  const shares = await sharesOfMemkeys(bench, server, {
    stats: () => stats(schema, driver),
    async audit() {
      const { findings } = await audit(schema, driver)
      if (findings.length > 0) throw new Error(`${findings.length} findings in data without a fault`)
    },
  })
  bench.report("stats, share of --memkeys' time", shares.stats, "<=0.7")
  bench.report("audit, share of --memkeys' time", shares.audit, "<=2")

  const beside = { "--memkeys": () => server.cli("--memkeys"), ...ourWalks(driver) }
  const idle = await pinging(server.socket, () => new Promise((resolve) => setTimeout(resolve, 2000)))
  bench.report("PING p99, idle", idle, undefined, "ms")
  for (const where of ["", ", one core busy"]) {
    const loop = where === "" ? undefined : spawn(process.execPath, ["-e", "for (;;);"])
    for (const [name, walk] of Object.entries(beside)) {
      const took: number[] = []
      for (let round = 0; round < ROUNDS; round++) took.push(await pinging(server.socket, walk))
      bench.report(`PING p99 beside ${name}${where}`, median(took), name === "--memkeys" ? undefined : "<5", "ms")
    }
    loop?.kill()
  }
  await driver.close()

  const once = await memoryOf(import.meta.url, server.url)
  await server.stop()
  const larger = await serverWith(commands(usersFor(2 * keys)))
  const twice = await memoryOf(import.meta.url, larger.url)
  await larger.stop()
  bench.report(`memory, ${keys} keys`, once, "<300", "MB")
  bench.report(`memory, ${2 * keys} keys`, twice, "<300", "MB")
  bench.report("memory, twice the keys", twice / once, "<=1.15")
}

const ourWalks = (driver: Driver) => ({ stats: () => stats(schema, driver), audit: () => audit(schema, driver) })

await ifForMemory(async (url) => {
  const driver = openResp(url)
  await stats(schema, driver)
  await audit(schema, driver)
  await driver.close()
})
