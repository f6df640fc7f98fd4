/* A sentinel that lies, as the driver meets it: calls end by their deadline and say which sentinel it was, few
 * connections are made, and little is kept. */

import { afterEach, describe, expect, it } from "vitest"
import { bulk, list } from "../../../../../test/fake-nodes.ts"
import { isFull } from "../../../../../test/full.ts"
import { type HostileAnswer, flood, type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import { NotApplied } from "../../errors/outcome.ts"
import type { KeywrightError } from "../../errors/error.ts"
import type { Driver } from "../driver.ts"
import { openServer } from "../resp/open-resp.ts"

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Within a second or two, where it is asked again and again. */
const MOST_DIALLED = 100
const fields = (...words: string[]) => list(...words.map(bulk))
const named = (host: string, port: string | number) => fields("ip", host, "port", String(port), "config-epoch", "1")
const thousands = list(
  ...Array.from({ length: 20_000 }, (_, i) => named(`10.${i >> 14}.${(i >> 7) & 127}.${i & 127}`, 1)),
)
const endless = (socket: Parameters<HostileAnswer>[1], head: string) => {
  socket.write(head)
  return flood(socket, bulk("x"))
}

async function lying(
  answer: HostileAnswer,
  greeting?: HostileAnswer,
  timeoutMs = 1500,
): Promise<{ sentinel: HostileServer; driver: Driver; address: string }> {
  const sentinel = await startHostile(answer, greeting)
  const address = `127.0.0.1:${new URL(sentinel.url).port}`
  const driver = openServer(`redis+sentinel://${address}/main`, { timeoutMs })
  ends.push(
    () => sentinel.close(),
    () => driver.close(),
  )
  return { sentinel, driver, address }
}

const saying =
  (master: string, others = list()): HostileAnswer =>
  ([, word]) =>
    word === "MASTER" ? master : word === "SENTINELS" ? others : "+PONG\r\n"

const refused: HostileAnswer = () => "-NOAUTH Authentication required.\r\n"
const asReplica: HostileAnswer = ([name]) =>
  name === "HELLO" ? `%2\r\n${bulk("proto")}:3\r\n${bulk("role")}${bulk("replica")}` : "+OK\r\n"

const lies: readonly (readonly [string, HostileAnswer, HostileAnswer?])[] = [
  ["names port 0", saying(named("127.0.0.1", 0))],
  ["names a negative port", saying(named("127.0.0.1", -1))],
  ["names port 99999", saying(named("127.0.0.1", 99_999))],
  ["names a port with a line break", saying(named("127.0.0.1", "6379\r\nforged"))],
  ["names a host with a line break", saying(named("a\r\nforged", 6379))],
  [
    "never ends its list of fields",
    ([, word], socket) => (word === "MASTER" ? endless(socket, "*999999999\r\n") : list()),
  ],
  [
    "never ends its list of others",
    ([, word], socket) => (word === "SENTINELS" ? endless(socket, "*999999999\r\n") : named("127.0.0.1", 1)),
  ],
  ["sends replies that nobody asked for", (_, socket) => flood(socket, "+x\r\n")],
  ["refuses everything", refused, refused],
  ["refuses everything but the greeting", refused],
  [
    "names itself, and is a replica",
    (words, socket) => saying(named("127.0.0.1", socket.localPort!))(words, socket, 0),
    asReplica,
  ],
  [
    "names thousands of others and itself, a replica",
    (words, socket) => saying(named("127.0.0.1", socket.localPort!), thousands)(words, socket, 0),
    asReplica,
  ],
]

const chosen = lies.filter((_, i) => isFull || i % 4 === 1 || i === 6)

describe("a sentinel that", { timeout: 60_000 }, () => {
  it.each(chosen.map(([name, answer, greeting]) => ({ name, answer, greeting })))(
    "$name",
    async ({ answer, greeting }) => {
      const { sentinel, driver, address } = await lying(answer, greeting)
      const error = await driver.send(["GET", "a"]).then(
        (value) => {
          throw new Error(`answered with ${String(value)}`)
        },
        (cause: unknown) => cause as KeywrightError,
      )
      expect(sentinel.opened()).toBeLessThan(MOST_DIALLED)
      expect(error).toBeInstanceOf(NotApplied)
      expect(`${error.message} ${error.why ?? ""}`).toContain(address)
    },
  )

  it("announces switches without an end keeps no call from being answered", async () => {
    const primary = await startHostile(() => "+PONG\r\n")
    ends.push(() => primary.close())
    const port = new URL(primary.url).port
    const message = (i: number) => fields("message", "+switch-master", `main 127.0.0.1 1 10.0.0.${i} 2`)
    const { sentinel, driver } = await lying(
      ([name, word], socket) => {
        if (name !== "SUBSCRIBE") return saying(named("127.0.0.1", port))([name!, word!], socket, 0)
        socket.write(list(bulk("subscribe"), bulk("+switch-master"), ":1\r\n"))
        return flood(socket, Array.from({ length: 200 }, (_, i) => message(i)).join(""))
      },
      undefined,
      30_000,
    )
    await driver.send(["PING"])
    await expect.poll(() => sentinel.sent(), { timeout: 30_000 }).toBeGreaterThan(100_000)
    for (let i = 0; i < 300; i++) await driver.send(["PING"])
    expect(sentinel.opened()).toBeLessThan(MOST_DIALLED)
  })
})
