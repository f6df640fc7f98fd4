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
import { sharesOfMemkeys } from "./audit/shares.ts"
import type { Bench } from "./harness.ts"

const schema = mixed as unknown as Keyspace

export default async function (bench: Bench): Promise<void> {
  const server = await serverWith(commands(usersFor(bench.full ? 1_000_000 : 100_000)))
  const driver = openResp(server.url)
  const folder = await mkdtemp(join(tmpdir(), "keywright-bench-export-"))
  const file = join(folder, "all.ndjson")
  try {
    const work = { export: () => exportKeys(schema, driver, { file }, { secrets: true }) }
    const shares = await sharesOfMemkeys(bench, server, work)
    bench.report("export, share of --memkeys' time", shares.export, "<=1.2")
    bench.say(`${((await stat(file)).size / 1e6).toFixed(0)} MB`)
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
