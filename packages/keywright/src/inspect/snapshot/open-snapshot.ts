/* An RDB file as a server that can only be read: everything that inspects a server
 * inspects a file by the same commands, and so finds the same in it.
 *
 * The file is read through once, its checksum verified, and the position of each key is
 * noted: about 30 bytes a key. Values are read on demand. Time is frozen at the moment
 * when the file was written: keys that had expired by then are left out. */

import type { FileHandle } from "node:fs/promises"
import type { CallOptions, Command, Driver, Reply, ServerFacts } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { rdbReadOnly } from "../../errors/rdb.ts"
import { chunksOfOpen, LONGEST_NAME, openFile, readRdb, type RdbFacts } from "../rdb/index.ts"
import { getOrMake } from "../walk/get-or-make.ts"
import { answerAll } from "./answer.ts"
import { SnapshotKeys } from "./snapshot-keys.ts"
import { keyOf } from "./snapshot-key.ts"
import { KeyIndex } from "./key-index.ts"
import type { RdbSource } from "./rdb-source.ts"
import { savedAt } from "./saved-at.ts"

export interface Snapshot {
  readonly driver: Driver
  /** When the file was written, in milliseconds. */
  readonly savedAtMs: number
}

export async function openSnapshot({ rdb: path, db = 0 }: RdbSource): Promise<Snapshot> {
  // One handle for all: a server may put another file in its place meanwhile.
  const file = await openFile(path)
  const { indexes, facts, time } = await indexed(file, path).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  const entries = new SnapshotKeys(file, path, facts.magic, time.latest)
  const label = `${path} (RDB file)`
  const empty = new KeyIndex(0)
  empty.seal()

  const driverFor = (number: number): Driver => {
    const index = indexes.get(number) ?? empty
    const ask = (commands: readonly Command[], options: CallOptions = {}): Promise<Reply[]> =>
      answerAll(commands, { index, entries, now: time.latest }, options)
    const refuse = (what: string) => Promise.reject(rdbReadOnly(what, label))
    const driver: Driver = {
      label,
      kind: "rdb",
      cluster: false,
      db: number,
      // A file is read at its own pace: nothing is given up.
      timeoutMs: Infinity,
      async send(command, options) {
        const [reply] = await ask([command], options)
        if (reply instanceof KeywrightError) throw reply
        return reply!
      },
      batch: ask,
      multi: ask,
      run: ({ name }) => refuse(`the script ${name}`),
      subscribe: () => refuse("SUBSCRIBE"),
      database: async (other) => driverFor(other),
      dedicated: async () => ({ ...driver, close: async () => undefined }),
      primaries: async () => [driver],
      facts: async () => serverFacts(facts),
      close: () => file.close(),
    }
    return driver
  }
  return { driver: driverFor(db), savedAtMs: time.latest }
}

async function indexed(file: FileHandle, path: string) {
  const reader = readRdb(chunksOfOpen(file, path), { longestName: LONGEST_NAME })
  const indexes = new Map<number, KeyIndex>()
  let time: ReturnType<typeof savedAt> | undefined
  for await (const batch of reader) {
    time ??= savedAt(reader.facts)
    for (let i = 0; i < batch.length; i++) {
      if (batch.expireAtMs(i) <= time.earliest) continue
      const db = batch.db(i)
      const index = getOrMake(indexes, db, () => new KeyIndex(db))
      index.add(keyOf(batch, i), batch.offset(i), batch.size(i))
    }
  }
  for (const index of indexes.values()) index.seal()
  return { indexes, facts: reader.facts, time: time ?? savedAt(reader.facts) }
}

const serverFacts = ({ magic, aux }: RdbFacts): ServerFacts => ({
  flavour: magic === "VALKEY" || aux["valkey-ver"] !== undefined ? "valkey" : "redis",
  version: aux["valkey-ver"] ?? aux["redis-ver"] ?? "unknown",
  mode: "standalone",
  role: "primary",
})
