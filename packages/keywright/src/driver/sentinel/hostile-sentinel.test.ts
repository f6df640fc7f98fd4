/* A sentinel that lies: it may name another primary, and must not be able to do more. */

import { afterEach, expect, it } from "vitest"
import { bulk, list } from "../../../../../test/fake-nodes.ts"
import { startHostile } from "../../../../../test/hostile-server.ts"
import type { KeywrightError } from "../../errors/error.ts"
import { type Endpoint, showEndpoint } from "../cluster/endpoint.ts"
import { dialSocket } from "../resp/dial.ts"
import { sentinelConnection } from "./connection.cases.ts"
import { Sentinels } from "./primary-of.ts"

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

interface Lies {
  readonly master: readonly string[]
  readonly others?: readonly string[][]
}

/** Sentinels that answer so, and whom somebody dials who asks them: others than these lead to the first of them. */
async function asking(...lies: Lies[]) {
  const said = (fields: readonly string[]) => list(...fields.map(bulk))
  const ports: number[] = []
  for (const { master, others = [] } of lies) {
    const answers: Readonly<Record<string, string>> = { MASTER: said(master), SENTINELS: list(...others.map(said)) }
    const server = await startHostile(([, word = ""]) => answers[word] ?? "+PONG\r\n")
    ends.push(() => server.close())
    ports.push(Number(new URL(server.url).port))
  }
  const dialled = new Set<string>()
  const asked = new Sentinels({
    service: "main",
    sentinels: ports.map((port) => ({ host: "127.0.0.1", port })),
    dial: (endpoint: Endpoint) => {
      dialled.add(showEndpoint(endpoint))
      const port = ports.includes(endpoint.port) ? endpoint.port : ports[0]!
      return dialSocket({ host: "127.0.0.1", port, path: undefined, tls: false })
    },
    connection: sentinelConnection,
  })
  return { asked, dialled }
}

const at = (host: string, more: readonly string[] = []) => ["ip", host, "port", "6379", ...more]

// A sentinel has little time to answer, and the machine may be busy: so they are asked until they have answered.

it("that names thousands of others has only a few of them asked", async () => {
  const others = Array.from({ length: 3000 }, (_, i) => at(`10.0.${i >> 8}.${i & 255}`))
  const { asked, dialled } = await asking({ master: at("127.0.0.1"), others })
  const isAnswered = () =>
    asked.primary().then(
      () => true,
      () => false,
    )
  await expect.poll(isAnswered).toBe(true)
  expect(dialled.size).toBe(1)
  await expect.poll(isAnswered).toBe(true)
  expect(dialled.size).toBe(33)
})

it.each(["x\r\nlevel=error forged", "\u001b[31m", "a b", "x".repeat(300), "h/../p"])(
  "that names %j as primary names none",
  async (host) => {
    const { asked } = await asking({ master: at(host) })
    const refusal = () =>
      asked.primary().then(
        ({ host: named }) => named,
        ({ message, why }: KeywrightError) => `${message} ${why ?? ""}`,
      )
    await expect.poll(refusal).toContain("names no address")
    expect(await refusal()).not.toContain(host)
  },
)

it.each(["Infinity", "1e300", "-0", "99999999999999999999"])("does not win with %s for an epoch", async (epoch) => {
  const said = (host: string, text: string) => ({ master: at(host, ["config-epoch", text]) })
  const { asked } = await asking(said("127.0.0.9", epoch), said("127.0.0.5", "5"))
  const primary = () => asked.primary().catch((error: unknown) => error)
  await expect.poll(primary).toEqual({ host: "127.0.0.5", port: 6379 })
})
