/* What a broken or hostile server can pass off as an answer behind a client that was handed in:
 * nothing that its command is not answered with. The clients themselves believe all of it. */

import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Redis } from "ioredis"
import { Redis as Redis5 } from "ioredis-5"
import { createClient, createCluster } from "redis"
import { createClient as createClient5, createCluster as createCluster5 } from "redis-5"
import { afterEach, describe, expect, test, vi } from "vitest"
import { bulk, list } from "../../../../../test/fake-nodes.ts"
import { type HostileAnswer, type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import { KeywrightError } from "../../errors/error.ts"
import { OutcomeUnknown } from "../../errors/outcome.ts"
import type { Command, Driver, Reply } from "../driver.ts"
import { findDriver } from "../find-driver.ts"

interface Opened {
  readonly client: object
  end(): void
}

type NodeRedis = ReturnType<typeof createClient | typeof createClient5 | typeof createCluster | typeof createCluster5>

const nodeRedis = async (client: NodeRedis) => {
  client.on("error", () => undefined)
  await client.connect()
  return { client, end: () => client.destroy() }
}
const ioredis = async (client: Redis | Redis5) => {
  client.on("error", () => undefined)
  return { client, end: () => client.disconnect() }
}
const SOON = { socket: { reconnectStrategy: 20 } }
const CLIENTS: Readonly<Record<string, (url: string) => Promise<Opened>>> = {
  "node-redis 6": (url) => nodeRedis(createClient({ url, ...SOON })),
  "node-redis 5": (url) => nodeRedis(createClient5({ url, ...SOON })),
  "ioredis 6": (url) => ioredis(new Redis(url, { enableReadyCheck: false })),
  "ioredis 5": (url) => ioredis(new Redis5(url, { enableReadyCheck: false })),
}
const CLUSTERS: typeof CLIENTS = {
  "a cluster of node-redis 6": (url) => nodeRedis(createCluster({ rootNodes: [{ url }], defaults: SOON })),
  "a cluster of node-redis 5": (url) => nodeRedis(createCluster5({ rootNodes: [{ url }], defaults: SOON })),
}

const [LIST, NUMBER, HUGE, TEXT, NESTED, NOTHING] = [
  "*2\r\n$1\r\nO\r\n$1\r\nK\r\n",
  ":1\r\n",
  ":9223372036854775807\r\n",
  "$1\r\nx\r\n",
  "*1\r\n*1\r\n*1\r\n:1\r\n",
  "$-1\r\n",
]

/** A command, and answers that no server returns to it. */
const LIES: readonly (readonly [Command, readonly string[]])[] = [
  [
    ["SET", "k", "v"],
    [LIST, NUMBER, NESTED],
  ],
  [
    ["GET", "k"],
    [LIST, NUMBER, NESTED],
  ],
  [
    ["TYPE", "k"],
    [LIST, NUMBER, NOTHING],
  ],
  [
    ["PTTL", "k"],
    [LIST, TEXT, NESTED, NOTHING, HUGE],
  ],
  [
    ["SCARD", "k"],
    [LIST, TEXT, NESTED, NOTHING, HUGE],
  ],
  [
    ["SADD", "k", "a"],
    [LIST, TEXT, NOTHING],
  ],
  [
    ["INCR", "k"],
    [LIST, TEXT, NESTED, NOTHING],
  ],
  [
    ["HGETALL", "k"],
    [TEXT, NUMBER, NESTED, NOTHING],
  ],
  [
    ["MGET", "k"],
    [TEXT, NUMBER, NESTED],
  ],
  [
    ["SCAN", "0"],
    [LIST, TEXT, NUMBER, NOTHING, "*2\r\n$2\r\n-5\r\n*0\r\n", "*2\r\n$3\r\n1.5\r\n*0\r\n"],
  ],
  [
    ["RPOP", "k"],
    [NUMBER, NESTED],
  ],
  [
    ["ZADD", "k", "1", "a"],
    [LIST, NESTED],
  ],
]

let server: HostileServer | undefined
let opened: Opened | undefined
let driver: Driver | undefined
afterEach(async () => {
  await driver?.close()
  opened?.end()
  await server?.close()
})

/** Also as the result of a transaction of one command, which is otherwise answered as it should be. */
const lyingInside = (lie: () => string) => {
  let isInside = false
  return ([name, word = ""]: readonly string[]): string => {
    if (name === "ECHO" && !isInside) return bulk(word)
    if (name === "EXEC" || name === "MULTI") isInside = name === "MULTI"
    if (name === "MULTI") return "+OK\r\n"
    if (name === "EXEC") return `*1\r\n${lie()}`
    return isInside ? "+QUEUED\r\n" : lie()
  }
}
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  )
const codeOf = (reply: Reply | undefined) => (reply instanceof KeywrightError ? reply.code : reply)

describe.each(Object.entries(CLIENTS))("behind %s", (_name, open) => {
  test("an answer of another kind is an error, not what the server said", async () => {
    let lie = ""
    server = await startHostile(lyingInside(() => lie))
    opened = await open(server.url)
    driver = findDriver({ client: opened.client })
    for (const [command, answers] of LIES) {
      for (lie of answers) {
        const where = `${command[0]} answered with ${JSON.stringify(lie)}`
        const error = await failure(driver.send(command))
        expect(error, where).toBeInstanceOf(OutcomeUnknown)
        expect(error, where).toMatchObject({ code: "DRIVER.REPLY" })
        expect((await driver.batch([command, ["ECHO", "x"]])).map(codeOf)[0], where).toBe("DRIVER.REPLY")
        expect((await driver.multi([command])).map(codeOf), where).toEqual(["DRIVER.REPLY"])
      }
    }
    lie = LIST
    expect(await driver.send(["SMEMBERS", "k"])).toEqual(["O", "K"])
  })

  test("a number of very many digits in a transaction is a number, or an error with a code", async () => {
    const number = `:${"9".repeat(400)}\r\n`
    server = await startHostile(lyingInside(() => number))
    opened = await open(server.url)
    driver = findDriver({ client: opened.client })
    const outcome = await driver.multi([["INCR", "k"]]).catch((error: unknown) => [error])
    expect(typeof outcome[0] === "bigint" || outcome[0] instanceof KeywrightError).toBe(true)
  })

  test("calls that a silent server never answers do not pile up without a limit", async () => {
    const unanswered: (() => void)[] = []
    let isSilent = true
    server = await startHostile((command, socket) => {
      if (command[0] === "ECHO") return bulk(command[1]!)
      if (command[0] !== "GET" || !isSilent) return "$5\r\nfine!\r\n"
      return void unanswered.push(() => socket.write("$4\r\nlate\r\n"))
    })
    opened = await open(server.url)
    driver = findDriver({ client: opened.client, timeoutMs: 2000, queueCalls: 50 })
    await driver.send(["ECHO", "x"], { timeoutMs: 20_000 })
    const briefly = () => failure(driver!.send(["GET", "k"], { timeoutMs: 200 }))
    const lost = await Promise.all(Array.from({ length: 50 }, briefly))
    for (const error of lost) expect(error).toMatchObject({ name: "OutcomeUnknown", code: "DRIVER.TIMEOUT" })
    expect(await briefly()).toMatchObject({ name: "NotApplied", code: "DRIVER.QUEUE_FULL" })
    isSilent = false
    for (const answer of unanswered) answer()
    await vi.waitUntil(async () => JSON.stringify(await briefly()) === '{"value":"fine!"}', { timeout: 20_000 })
  })
})

describe.each(Object.entries({ ...CLIENTS, ...CLUSTERS }))("behind %s", (_name, open) => {
  test("an answer is not passed on to another caller after connections broke while they were greeted", async () => {
    const greeted = new Set<object>()
    let last: Socket | undefined
    const BREAKS = 8
    let broken = -1
    // Each greeting after those of the connections in use is answered in part, some times.
    const breaking: HostileAnswer = (_, socket) => {
      if (broken >= 0 && broken < BREAKS && greeted.has(socket)) {
        broken++
        return void socket.resetAndDestroy()
      }
      greeted.add(socket)
      return "+OK\r\n"
    }
    const slots = () => {
      const place = list(bulk("127.0.0.1"), `:${new URL(server!.url).port}\r\n`, bulk("id"), list())
      return list(list(":0\r\n", ":16383\r\n", place))
    }
    server = await startHostile(
      (command, socket, connection) => {
        last = socket
        if (command[0] === "CLUSTER") return slots()
        // ioredis writes its greeting in lower case.
        if (/^[a-z]/.test(command[0]!)) return breaking(command, socket, connection)
        return bulk(command[1] ?? "")
      },
      (command, socket, connection) =>
        command[0] === "HELLO" && (broken < 0 || broken === BREAKS)
          ? "%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n"
          : breaking(command, socket, connection),
    )
    opened = await open(server.url)
    driver = findDriver({ client: opened.client, timeoutMs: 2000 })
    await driver.send(["GET", "first"], { timeoutMs: 20_000 })
    let answered = 0
    const wrong: unknown[] = []
    const isOver = () => answered >= 2000 && broken >= BREAKS
    const asking = Array.from({ length: 20 }, async (_, caller) => {
      for (let i = 0; !isOver(); i++) {
        const word = `${caller}-${i}`
        const reply = await driver!.send(["GET", word]).catch(() => word)
        if (reply !== word) wrong.push([word, reply])
        answered++
        await sleep(1)
      }
    })
    await sleep(20)
    broken = 0
    last!.resetAndDestroy()
    await Promise.all(asking)
    expect(wrong).toEqual([])
  })
})
