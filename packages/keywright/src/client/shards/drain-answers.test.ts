/* A server that answers a drain with what its script never returns: the batch stays where it is. */

import { expect, it } from "vitest"
import { startHostile } from "../../../../../test/hostile-server.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { drainDoneScript, drainPutScript, drainTakeScript } from "../lua/index.ts"
import { drainers, schemaOf } from "./drain.cases.ts"

it.each([
  ["nothing", "_\r\n"],
  ["7", ":7\r\n"],
  ["-1", ":-1\r\n"],
])("deletes no batch of which the target answers %s", async (_, answer) => {
  const sent: string[] = []
  const server = await startHostile(([name, source]) => {
    if (name === "HGETALL") return "%0\r\n"
    if (name !== "EVAL") return ":1\r\n"
    sent.push(source!)
    return source === drainTakeScript.source ? "*3\r\n$1\r\n1\r\n:0\r\n*2\r\n$1\r\nx\r\n$2\r\n-1\r\n" : answer
  })
  const driver = openResp(server.url)
  const outcome = await drainers(schemaOf(1), driver)
    .views.run()
    .catch((error: { code: string }) => error.code)
  expect(sent).toContain(drainPutScript.source)
  expect(sent).not.toContain(drainDoneScript.source)
  expect(outcome).toBe("DRIVER.REPLY")
  await driver.close()
  await server.close()
})
