/* A server that answers a lease with a negative time, or with none: the job pauses before it asks again. */

import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { startHostile } from "../../../../../test/hostile-server.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { job } from "./job.ts"

it.each([
  ["a negative time", ":-5000\r\n"],
  ["nothing", "_\r\n"],
])("a lease that is another's for %s is an error, and asked for more and more rarely", async (_, answer) => {
  let asked = 0
  const server = await startHostile(() => (asked++, answer))
  const driver = openResp(server.url)
  const work = job({ name: "work", every: "1h", lease: { on: driver }, run: () => 0 })
  work.start()
  await sleep(300)
  await work.stop()
  expect(work.status()).toMatchObject({ passes: 0, skipped: 0, lastError: { code: "DRIVER.REPLY" } })
  expect(asked).toBeLessThan(10)
  await driver.close()
  await server.close()
})
