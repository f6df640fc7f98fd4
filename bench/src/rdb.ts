/* The RDB reader: keys per second of a file of small keys, as redis-server writes it.
 *
 * Values are passed over, then also the keys handed out as text, then as
 * records, then all values decoded. The checksum is left out but in the last
 * line, which is what a careful caller gets without any option. Then what the
 * commands take that read a file, against `redis-cli --memkeys`. */

import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportKeys } from "../../packages/keywright/src/change/copy/export-keys.ts"
import { audit } from "../../packages/keywright/src/inspect/audit/audit.ts"
import { type RdbBatch, readRdb, type ReadRdbOptions } from "../../packages/keywright/src/inspect/rdb/index.ts"
import { stats } from "../../packages/keywright/src/inspect/stats/stats.ts"
import type { Keyspace } from "keywright"
import { commands, usersFor } from "./audit/data.ts"
import { mixed } from "./audit/keyspace.ts"
import { serverWith } from "./audit/server.ts"
import { sharesOfMemkeys } from "./audit/shares.ts"
import type { Bench } from "./harness.ts"
import { median } from "./harness-stats.ts"
import { smallKeys } from "./rdb/small-keys.ts"

const ROUNDS = 7
const schema = mixed as unknown as Keyspace

export default async function (bench: Bench): Promise<void> {
  await reader(bench)
  await shares(bench)
}

/** Keys per second of the reader alone. */
async function reader(bench: Bench): Promise<void> {
  const { file, remove } = await smallKeys(bench.full ? 1_000_000 : 300_000)

  async function keysPerSecond(options: ReadRdbOptions, use: (batch: RdbBatch) => void = () => {}): Promise<number> {
    const speeds: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const reader = readRdb(file, options)
      const start = performance.now()
      for await (const batch of reader) use(batch)
      speeds.push((reader.facts.keys / (performance.now() - start)) * 1000)
    }
    return median(speeds) / 1000
  }

  const texts = (batch: RdbBatch) => {
    for (let index = 0; index < batch.length; index++) batch.keyText(index)
  }
  const records = (batch: RdbBatch) => {
    for (let index = 0; index < batch.length; index++) batch.record(index)
  }
  const unit = "thousand keys/s"
  try {
    bench.report("rdb, values skipped", await keysPerSecond({ checksum: false }), ">=3000", unit)
    bench.report("rdb, keys as text", await keysPerSecond({ checksum: false }, texts), ">=1200", unit)
    bench.report("rdb, keys as records", await keysPerSecond({ checksum: false }, records), ">=1200", unit)
    bench.report(
      "rdb, all values decoded",
      await keysPerSecond({ checksum: false, values: "full" }, records),
      ">=300",
      unit,
    )
    bench.report("rdb, decoded and verified", await keysPerSecond({ values: "full" }, records), ">=300", unit)
  } finally {
    await remove()
  }
}

/** What commands take on the file of a server, against `redis-cli --memkeys` on that server. */
async function shares(bench: Bench): Promise<void> {
  const server = await serverWith(commands(usersFor(bench.full ? 1_000_000 : 100_000)))
  const folder = await mkdtemp(join(tmpdir(), "keywright-bench-rdb-"))
  const source = { rdb: join(folder, "dump.rdb") }
  const file = join(folder, "all.ndjson")
  const work = {
    stats: () => stats(schema, source),
    async audit() {
      const { findings } = await audit(schema, source)
      if (findings.length > 0) throw new Error(`${findings.length} findings in data without a fault`)
    },
    export: () => exportKeys(schema, source, { file }, { secrets: true }),
  }
  try {
    await server.cli("SAVE")
    await copyFile(server.rdb, source.rdb)
    const took = await sharesOfMemkeys(bench, server, work)
    bench.report("stats of the file, share of --memkeys' time", took.stats, "<=0.25")
    bench.report("audit of the file, share of --memkeys' time", took.audit, "<=2")
    bench.report("export of the file, share of --memkeys' time", took.export, "<=1.2")
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}
