/* The same tests on a real redis-server and on the embedded engine, each with a folder
 * that SAVE writes its file into. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start } from "@keywright/embedded"
import { afterAll, beforeAll, beforeEach, describe } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis } from "../../../../../test/real-redis.ts"
import type { Target } from "../../client/target.ts"
import type { Driver } from "../../driver/driver.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import { openResp } from "../../driver/resp/open-resp.ts"

export interface SavingServer {
  readonly target: Target
  readonly driver: Driver
  /** SAVE; the path of the file. */
  save(): Promise<string>
}

/** Values of 90 MB keep a busy machine, and an engine in this process, occupied for seconds. */
const PATIENT = { timeoutMs: 30_000 }

export function onSavingServers(title: string, body: (server: () => SavingServer) => void): void {
  describe.runIf(needs("redis-server"))(`${title}, written by a real server`, () => {
    body(
      lifecycle(async () => {
        const redis = await startRedis()
        return {
          target: redis.url,
          driver: openResp(redis.url, PATIENT),
          directory: redis.directory,
          stop: () => redis.stop(),
        }
      }),
    )
  })
  describe(`${title}, written by the embedded engine`, () => {
    body(
      lifecycle(async () => {
        const directory = mkdtempSync(join(tmpdir(), "keywright-snapshot-"))
        const engine = await start({ directory })
        const stop = async () => {
          await engine.stop()
          rmSync(directory, { recursive: true })
        }
        return { target: { engine }, driver: embeddedDriver(engine, PATIENT), directory, stop }
      }),
    )
  })
}

interface Opened extends Pick<SavingServer, "target" | "driver"> {
  readonly directory: string
  stop(): Promise<void>
}

function lifecycle(open: () => Promise<Opened>): () => SavingServer {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  beforeEach(async () => {
    await opened.driver.send(["FLUSHALL"])
  })
  afterAll(async () => {
    await opened?.driver.close()
    await opened?.stop()
  })
  const save = async () => {
    await opened.driver.send(["SAVE"])
    return join(opened.directory, "dump.rdb")
  }
  return () => ({ target: opened.target, driver: opened.driver, save })
}
