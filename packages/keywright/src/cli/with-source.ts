/* What a reading command inspects: a server, or the file that --rdb names. */

import type { Driver } from "../driver/driver.ts"
import { openSnapshot } from "../inspect/snapshot/open-snapshot.ts"
import type { RdbSource } from "../inspect/snapshot/rdb-source.ts"
import type { Invocation } from "./command.ts"
import { withServer } from "./open-server.ts"
import { rdbFile } from "./rdb-file.ts"
import { databaseNumber } from "./walk-options.ts"

/** For what reads files by itself. */
export function withSource<T>(
  call: Invocation,
  configured: string | undefined,
  work: (source: Driver | RdbSource) => Promise<T>,
): Promise<T> {
  const rdb = rdbFile(call)
  if (rdb === undefined) return withServer(call, configured, ({ driver }) => work(driver))
  // An address can say in which database a schema lives; for a file, --db does.
  const [db, ...more] = [call.options["db"] ?? []].flat() as string[]
  return work(db === undefined || more.length > 0 ? { rdb } : { rdb, db: databaseNumber(db) })
}

/** For what asks a server: a file then answers as one. */
export function withReader<T>(
  call: Invocation,
  configured: string | undefined,
  work: (driver: Driver) => Promise<T>,
): Promise<T> {
  return withSource(call, configured, async (source) => {
    if (!("rdb" in source)) return work(source)
    const { driver } = await openSnapshot(source)
    try {
      return await work(driver)
    } finally {
      await driver.close()
    }
  })
}
