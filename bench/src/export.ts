/* Export of a server to a file, against `redis-cli --memkeys`, in one run; and import into another one. */

import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportKeys } from "../../packages/keywright/src/change/copy/export-keys.ts"
import { importKeys } from "../../packages/keywright/src/change/copy/import-keys.ts"
import { openResp } from "../../packages/keywright/src/driver/resp/open-resp.ts"
import type { Keyspace } from "keywright"
import { commands, usersFor } from "./audit/data.ts"
import { mixed } from "./audit/keyspace.ts"
import { serverWith } from "./audit/server.ts"
import type { Bench } from "./harness.ts"
import { median } from "./harness-stats.ts"

const schema = mixed as unknown as Keyspace

export default async function (bench: Bench): Promise<void> {
  const server = await serverWith(commands(usersFor(bench.full ? 1_000_000 : 100_000)))
  const driver = openResp(server.url)
  const folder = await mkdtemp(join(tmpdir(), "keywright-bench-export-"))
  const file = join(folder, "all.ndjson")
  const ratios: number[] = []
  try {
    await exportKeys(schema, driver, { file }, { secrets: true })
    for (let round = 0; round < (bench.full ? 3 : 7); round++) {
      const memkeys = await server.cli("--memkeys")
      const started = performance.now()
      const { keys } = await exportKeys(schema, driver, { file }, { secrets: true })
      const ms = performance.now() - started
      ratios.push(ms / memkeys)
      const size = (await stat(file)).size
      bench.say(
        `${keys} keys, ${(size / 1e6).toFixed(0)} MB: memkeys ${memkeys.toFixed(0)} ms, export ${ms.toFixed(0)} ms`,
      )
    }
    bench.report("export, share of --memkeys' time", median(ratios), "<=1.2")
    const empty = await serverWith([])
    const other = openResp(empty.url)
    const started = performance.now()
    const { written } = await importKeys(schema, other, { file }, { rebuild: false })
    bench.report("import, checked and read back", written / (performance.now() - started), undefined, "thousand keys/s")
    await other.close()
    await empty.stop()
  } finally {
    await driver.close()
    await server.stop()
    await rm(folder, { recursive: true })
  }
}
