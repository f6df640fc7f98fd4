/* infer of a server in use and of its RDB file, against `redis-cli --memkeys`.
 *
 * The same keys as the bench of audit. Each round times --memkeys, infer over the
 * connection and infer from the file that the server saved, one after another. PING is
 * asked every few milliseconds by a process of its own. Memory is that of a process
 * which does nothing but infer, over the connection and from the file. What is learned
 * from the first thousands of keys costs the same however many follow: the share of a
 * file is promised for the million of --full. */

import { openResp } from "../../packages/keywright/src/driver/resp/open-resp.ts"
import { infer } from "../../packages/keywright/src/inspect/infer/infer.ts"
import { commands, usersFor } from "./audit/data.ts"
import { pinging } from "./audit/ping.ts"
import { serverWith } from "./audit/server.ts"
import { sharesOfMemkeys } from "./audit/shares.ts"
import type { Bench } from "./harness.ts"
import { ifForMemory, memoryOf } from "./harness-memory.ts"

export default async function (bench: Bench): Promise<void> {
  const keys = bench.full ? 1_000_000 : 100_000
  const server = await serverWith(commands(usersFor(keys)))
  const driver = openResp(server.url, { timeoutMs: 120_000 })
  await driver.send(["SAVE"])
  const { rdb } = server
  bench.say(`${String(await driver.send(["DBSIZE"]))} keys`)

  const work = { infer: () => infer(driver), "from the file": () => infer({ rdb }) }
  const shares = await sharesOfMemkeys(bench, server, work)
  bench.report("infer, share of --memkeys' time", shares.infer, "<=1.5")
  const ofFile = shares["from the file"]
  bench.report("infer from an RDB file, share of --memkeys' time", ofFile, bench.full ? "<=0.3" : undefined)
  const idle = await pinging(server.socket, () => new Promise((resolve) => setTimeout(resolve, 2000)))
  bench.report("PING p99, idle", idle, undefined, "ms")
  bench.report(
    "PING p99 beside --memkeys",
    await pinging(server.socket, () => server.cli("--memkeys")),
    undefined,
    "ms",
  )
  bench.report("PING p99 beside infer", await pinging(server.socket, () => infer(driver)), "<5", "ms")
  bench.report("memory, from the server", await memoryOf(import.meta.url, server.url), "<300", "MB")
  bench.report("memory, from the file", await memoryOf(import.meta.url, rdb), "<300", "MB")
  const { explained, keys: seen } = await infer(driver)
  bench.report("share of keys explained", explained / seen, ">=0.999")
  await driver.close()
  await server.stop()
}

await ifForMemory(async (source) => {
  if (source.endsWith(".rdb")) return void (await infer({ rdb: source }))
  const driver = openResp(source)
  await infer(driver)
  await driver.close()
})
