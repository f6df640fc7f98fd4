/* A server that repeats the connection's own password: no error shows it, and each still means what it says. */

import { inspect } from "node:util"
import { afterEach, describe, expect, test } from "vitest"
import { type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import type { Driver } from "../driver.ts"
import { openResp } from "./open-resp.ts"

let server: HostileServer | undefined
let driver: Driver | undefined
afterEach(async () => {
  await driver?.close()
  await server?.close()
})

describe("a server that repeats the password", () => {
  const password = "CORRECT-HORSE"
  const withPassword = (secret = password) => server!.url.replace("//", `//:${secret}@`)
  for (const [name, reply, hello] of [
    ["when it refuses the user", "", `-WRONGPASS ${password} is wrong\r\n`],
    ["in other errors", `-ERR invalid ${password}, ${password}\r\n`],
    ["as an error of its own", `-${password} invalid ${password}\r\n`],
    ["as an address", `-MOVED 1 ${password}:1 invalid\r\n`],
  ] as const)
    test(`${name} has it in no error`, async () => {
      server = await startHostile(
        () => reply,
        ([command]) => (command === "HELLO" ? (hello ?? "%1\r\n$5\r\nproto\r\n:3\r\n") : "+OK\r\n"),
      )
      driver = openResp(withPassword(), { timeoutMs: 2000 })
      const error: unknown = await driver.send(["GET", "a"]).catch((failure: unknown) => failure)
      if (!(error instanceof Error)) throw new Error("it was answered")
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(password)
      expect(error.message).toMatch(/… is wrong|invalid …|…:1 invalid/)
    })

  test("in the words of an honest one is understood as before", async () => {
    let isLoading = true
    server = await startHostile(() => {
      const reply = isLoading ? "-LOADING Redis is loading the dataset in memory\r\n" : "+fine\r\n"
      isLoading = false
      return reply
    })
    driver = openResp(withPassword("LOADING"), { timeoutMs: 20_000 })
    expect(await driver.send(["ECHO", "x"])).toBe("fine")
  })
})
