/* What a command that reads looks at: a server, or the file that --rdb names. */

import type { Driver } from "../driver/driver.ts"
import { openSnapshot } from "../inspect/snapshot/open-snapshot.ts"
import type { Call } from "./command.ts"
import { withServer } from "./open-server.ts"
import { rdbFile } from "./rdb-file.ts"

/** For what reads files by itself. */
export function withSource<T>(
  call: Call,
  configured: string | undefined,
  work: (source: Driver | { readonly rdb: string }) => Promise<T>,
): Promise<T> {
  const rdb = rdbFile(call)
  return rdb === undefined ? withServer(call, configured, ({ driver }) => work(driver)) : work({ rdb })
}

/** For what asks a server: a file then answers as one. */
export function withReader<T>(
  call: Call,
  configured: string | undefined,
  work: (driver: Driver) => Promise<T>,
): Promise<T> {
  return withSource(call, configured, async (source) => {
    if (!("rdb" in source)) return work(source)
    const { driver } = await openSnapshot(source.rdb)
    try {
      return await work(driver)
    } finally {
      await driver.close()
    }
  })
}
