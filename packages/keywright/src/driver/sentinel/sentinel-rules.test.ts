/* What sentinels and the servers that they name may say, and what becomes of a call then: one case for each rule. */

import { afterEach, beforeEach, expect, test } from "vitest"
import { bulk, type FakeCluster, list, startFakeNodes } from "../../../../../test/fake-nodes.ts"
import { type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import type { KeywrightError } from "../../errors/error.ts"
import type { Driver } from "../driver.ts"
import { openServer } from "../resp/open-resp.ts"

let servers: FakeCluster
let sentinel: HostileServer
let driver: Driver | undefined
/** The server that the sentinel names, and what it says instead of that, or to everything. */
let named: number
/** How often it was asked for that. */
let asked: number
let said: string | undefined
let refusal: string | undefined

beforeEach(async () => {
  ;[named, asked, said, refusal] = [0, 0, undefined, undefined]
  servers = await startFakeNodes(2)
  for (const server of servers.nodes) server.mode = "standalone"
  sentinel = await startHostile(
    ([, word = ""]) => {
      if (refusal !== undefined) return refusal
      if (word === "SENTINELS") return list()
      if (word === "+switch-master") return list(bulk("subscribe"), bulk(word), ":1\r\n")
      if (word !== "MASTER") return "+PONG\r\n"
      asked++
      const fields = ["ip", "127.0.0.1", "port", String(servers.nodes[named]!.port), "config-epoch", "1", "quorum", "1"]
      return said ?? list(...fields.map(bulk))
    },
    ([name]) => refusal ?? (name === "HELLO" ? "%1\r\n$6\r\nserver\r\n$5\r\nredis\r\n" : "+OK\r\n"),
  )
})
afterEach(async () => {
  await driver?.close()
  driver = undefined
  await Promise.all([servers.close(), sentinel.close()])
})

const open = (timeoutMs = 20_000): Driver =>
  (driver = openServer(`redis+sentinel://127.0.0.1:${new URL(sentinel.url).port}/main`, {
    timeoutMs,
    connectTimeoutMs: timeoutMs,
  }))

/** The error that a call ends with, and all that caused it; asked for again where the machine was too slow to know it. */
async function failureWith(told: RegExp): Promise<string> {
  for (;;) {
    const texts: string[] = []
    const error: unknown = await driver!.send(["INCR2", "a"]).catch((caught: unknown) => caught)
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      const { code, why, fix, details } = one as Partial<KeywrightError>
      texts.push(`${code} ${one.message} ${why} ${fix} ${JSON.stringify(details?.["node"])}`)
    }
    const text = texts.join("\n")
    if (told.test(text)) return text
  }
}

test("a server that says that it is a replica is sent nothing: the sentinels are asked again", async () => {
  servers.nodes[0]!.role = "replica"
  const call = open().send(["INCR2", "a"])
  await expect.poll(() => servers.nodes[0]!.server.opened()).toBeGreaterThan(0)
  named = 1
  expect(await call).toBe("node 1")
  expect(servers.nodes[0]!.log).toEqual([])
})

test("one that is replaced while it is dialled is left, though it greets as a primary after that", async () => {
  // As a server that was paused: it takes connections, and answers later.
  const greet: (() => void)[] = []
  const words = ["server", "redis", "mode", "standalone", "role", "master"].map(bulk).join("")
  const hello = `%4\r\n${words}${bulk("proto")}:3\r\n+OK\r\n`
  const paused = await startHostile(
    () => "+the previous one\r\n",
    ([name], socket) => {
      if (name === "HELLO") greet.push(() => socket.writable && socket.write(hello))
      return undefined
    },
  )
  const port = Number(new URL(paused.url).port)
  said = list(...["ip", "127.0.0.1", "port", String(port), "config-epoch", "1"].map(bulk))
  const call = open().send(["GET2", "a"], { safe: true })
  await expect.poll(() => greet.length).toBe(1)
  said = undefined
  const before = asked
  const switched = `main 127.0.0.1 ${port} 127.0.0.1 ${servers.nodes[0]!.port}`
  await expect
    .poll(() => {
      sentinel.say(list(bulk("message"), bulk("+switch-master"), bulk(switched)))
      return asked
    })
    .toBeGreaterThan(before)
  for (const answer of greet) answer()
  expect(await call).toBe("node 0")
  await paused.close()
})

test("READONLY asks them again, and the call is carried out at the primary of now", async () => {
  expect(await open().send(["ECHO2", "a"])).toBe("node 0")
  servers.nodes[0]!.answer = () => "-READONLY You can't write against a read only replica.\r\n"
  const call = driver!.send(["INCR2", "a"])
  await expect.poll(() => servers.nodes[0]!.log).toContain("INCR2 a")
  named = 1
  expect(await call).toBe("node 1")
})

test("a primary that answers READONLY is dialled again as rarely as one that refuses connections", async () => {
  servers.nodes[0]!.answer = () => "-READONLY You can't write against a read only replica.\r\n"
  await expect(open(2000).send(["INCR2", "a"])).rejects.toMatchObject({ name: "NotApplied", code: "SERVER.READONLY" })
  // 20, 40, 80 … 500 ms apart, each at least by half: at once it would be hundreds.
  expect(servers.nodes[0]!.server.opened()).toBeLessThan(25)
})

test("a primary that is lost: a call that may be repeated goes to the next one", async () => {
  expect(await open().send(["ECHO2", "a"])).toBe("node 0")
  await servers.nodes[0]!.server.close()
  named = 1
  expect(await driver!.send(["GET2", "a"], { safe: true })).toBe("node 1")
})

test("a name that no sentinel knows: by name, and what to do", async () => {
  said = "-ERR No such master with that name\r\n"
  open(5000)
  expect(await failureWith(/SENTINEL\.SERVICE/)).toMatch(/"main"[^]*SENTINEL MASTERS/)
})

test("sentinels that want a password: which one, and which setting", async () => {
  refusal = "-NOAUTH Authentication required.\r\n"
  open(2000)
  const text = await failureWith(/NOAUTH/)
  expect(text).toContain(new URL(sentinel.url).port)
  expect(text).toContain("sentinel_password")
})

test("a primary that refuses the password: which one", async () => {
  servers.nodes[0]!.refusal = "WRONGPASS invalid username-password pair or user is disabled."
  open(5000)
  const text = await failureWith(/WRONGPASS/)
  expect(text).toContain("Check user and password.")
  expect(text).toContain(`{"address":"127.0.0.1:${servers.nodes[0]!.port}","role":"primary"}`)
})
