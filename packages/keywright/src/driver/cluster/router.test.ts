/* What nodes of a cluster may say, and what becomes of a call then: one case for each rule.
 * The nodes are scripted, so that each says exactly what the case is about. */

import dns from "node:dns"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { bulk, type FakeCluster, list, SILENCE, startFakeNodes } from "../../../../../test/fake-nodes.ts"
import { KeywrightError } from "../../errors/error.ts"
import { NotApplied, OutcomeUnknown, Refused } from "../../errors/outcome.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Driver } from "../driver.ts"
import { openServer, type RespOptions } from "../resp/open-resp.ts"
import { scriptOf } from "../script.ts"
import { until } from "../../../../../test/until.ts"

let cluster: FakeCluster
let driver: Driver | undefined
/** "a" is in the upper half, "b" in the lower. */
const [A, B] = [clusterSlot("a"), clusterSlot("b")]
const script = scriptOf("test", "return 1")

beforeEach(async () => {
  cluster = await startFakeNodes(3)
  cluster.owners([0, 8191, 0], [8192, 16383, 1])
})
afterEach(async () => {
  await driver?.close()
  driver = undefined
  await cluster.close()
})

const open = async (options: RespOptions = {}, url = cluster.nodes[0]!.url): Promise<Driver> => {
  driver = openServer(url, { timeoutMs: 10_000, ...options })
  await driver.ready?.()
  return driver
}
const failureOf = (call: Promise<unknown>): Promise<KeywrightError> =>
  call.then(
    (value) => {
      throw new Error(`answered with ${String(value)}`)
    },
    (error: unknown) => error as KeywrightError,
  )
/** At its deadline a call is usually waiting, sometimes on its way, or not sent for the first time: tried again then. */
async function certainFailureOf(call: () => Promise<unknown>): Promise<KeywrightError> {
  let error = await failureOf(call())
  while (error instanceof OutcomeUnknown || error.code === "DRIVER.TIMEOUT") error = await failureOf(call())
  return error
}
/** Says it once; from then on, what it usually says. */
const once = (text: string) => {
  let isSaid = false
  return () => {
    if (isSaid) return undefined
    isSaid = true
    return text
  }
}

describe("which node a call goes to", () => {
  test("the slots of the keys decide", async () => {
    expect([A > 8191, B > 8191]).toEqual([true, false])
    await open()
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
    expect(await driver!.send(["ECHO2", "b"])).toBe("node 0")
    expect(await driver!.send(["ECHO2", "x{a}y"])).toBe("node 1")
  })

  test("a server without cluster mode is spoken to directly, and asked nothing", async () => {
    cluster.nodes[0]!.mode = "standalone"
    await open()
    expect(driver!.cluster).toBe(false)
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 0")
    expect(cluster.nodes[0]!.asked).toBe(0)
  })

  test("cluster=off insists on the node", async () => {
    await open({}, `${cluster.nodes[0]!.url}?cluster=off`)
    expect(driver!.cluster).toBe(false)
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 0")
    expect(cluster.nodes[0]!.asked).toBe(0)
  })

  test("any of several addresses will do", async () => {
    const [first, , third] = cluster.nodes
    await third!.server.close()
    await open({}, `redis://127.0.0.1:${third!.port},127.0.0.1:${first!.port}`)
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
  })

  test("calls that were made before the node was greeted are routed like all others", async () => {
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 10_000 })
    const calls = [
      driver.send(["ECHO2", "a"]),
      driver.batch([
        ["ECHO2", "b"],
        ["ECHO2", "a"],
      ]),
    ]
    expect(await Promise.all(calls)).toEqual(["node 1", ["node 0", "node 1"]])
  })

  test("a host that is left empty is the one that was asked", async () => {
    for (const node of cluster.nodes) node.host = ""
    await open()
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
  })

  test("a host that is null is the one that was asked, too", async () => {
    const [first, second] = cluster.nodes
    const nowhere = (port: number, n: number) => list("_\r\n", `:${port}\r\n`, bulk(`id-of-node-${n}`), list())
    for (const node of cluster.nodes)
      node.slots = list(
        list(":0\r\n", ":8191\r\n", nowhere(first!.port, 0)),
        list(":8192\r\n", ":16383\r\n", nowhere(second!.port, 1)),
      )
    await open()
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
  })

  test("a node is known by its id: at another address it is the same one, and dialled there", async () => {
    await open()
    await driver!.send(["ECHO2", "a"])
    const [first, second, third] = cluster.nodes
    const place = (port: number, n: number) => list(bulk("127.0.0.1"), `:${port}\r\n`, bulk(`id-of-node-${n}`), list())
    for (const node of cluster.nodes)
      node.slots = list(
        list(":0\r\n", ":8191\r\n", place(first!.port, 0)),
        list(":8192\r\n", ":16383\r\n", place(third!.port, 1)),
      )
    await second!.server.close()
    expect(await driver!.send(["ECHO2", "a"], { safe: true })).toBe("node 2")
  })

  test("calls that are not awaited arrive in their order", async () => {
    await open()
    const sent = Array.from({ length: 300 }, (_, i) => ["ECHO2", i % 3 === 0 ? "b" : "a", String(i)])
    await Promise.all(sent.map((command) => driver!.send(command)))
    const of = (key: string) => sent.flatMap((command) => (command[1] === key ? [command.join(" ")] : []))
    expect([cluster.nodes[1]!.log, cluster.nodes[0]!.log]).toEqual([of("a"), of("b")])
  })

  test("an unknown host is learned from another node", async () => {
    const [first, second] = cluster.nodes
    const unknown = list(bulk("?"), `:${second!.port}\r\n`, bulk("id-of-node-1"), list())
    const known = list(bulk("127.0.0.1"), `:${first!.port}\r\n`, bulk("id-of-node-0"), list())
    first!.slots = list(list(":0\r\n", ":8191\r\n", known), list(":8192\r\n", ":16383\r\n", unknown))
    await open({}, `redis://127.0.0.1:${first!.port},127.0.0.1:${second!.port}`)
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
  })

  test("announced addresses are translated where they are not reached as they are", async () => {
    cluster.nodes[1]!.host = "10.255.255.1"
    const { port } = cluster.nodes[1]!
    await open({ nat: { [`10.255.255.1:${port}`]: `127.0.0.1:${port}` } })
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
  })

  test("a batch is split by node and joined in order", async () => {
    await open()
    const commands = ["a", "b", "a", "b", "b"].map((key, i) => ["ECHO2", key, String(i)])
    expect(await driver!.batch(commands)).toEqual(["node 1", "node 0", "node 1", "node 0", "node 0"])
    expect(cluster.nodes[0]!.log).toEqual(["ECHO2 b 1", "ECHO2 b 3", "ECHO2 b 4"])
  })

  test("MGET and deletes of several slots are split and joined", async () => {
    for (const node of cluster.nodes)
      node.answer = ([name, ...keys]) => (name === "MGET" ? list(...keys.map(bulk)) : `:${keys.length}\r\n`)
    await open()
    expect(await driver!.send(["MGET", "b", "a", "c", "a"])).toEqual(["b", "a", "c", "a"])
    expect(await driver!.send(["UNLINK", "b", "a", "c"])).toBe(3)
  })

  test.each([
    [["UNLINK", "b", "a"], OutcomeUnknown, "DRIVER.HALF_SENT"],
    [["FLUSHALL"], OutcomeUnknown, "DRIVER.HALF_SENT"],
    [["EXISTS", "b", "a"], Refused, "SERVER.NOPERM"],
    [["DBSIZE"], Refused, "SERVER.NOPERM"],
  ])("%j that one node carries out and another refuses: refused only if it reads", async (command, type, code) => {
    const refusing = ([name]: readonly string[]) => (name === "PING" ? "+PONG\r\n" : "-NOPERM no permissions\r\n")
    const answers: Readonly<Record<string, string>> = { PING: "+PONG\r\n", FLUSHALL: "+OK\r\n" }
    cluster.nodes[0]!.answer = ([name]) => answers[name!] ?? ":1\r\n"
    cluster.nodes[1]!.answer = refusing
    await open()
    const error = await failureOf(driver!.send(command))
    expect([error.constructor, error.code]).toEqual([type, code])
    // All parts were refused: nothing was written.
    cluster.nodes[0]!.answer = refusing
    expect(await failureOf(driver!.send(command))).toMatchObject({ code: "SERVER.NOPERM" })
  })

  test("a transaction over several slots is refused, and nothing is sent", async () => {
    await open()
    const error = await failureOf(
      driver!.multi([
        ["INCR", "a"],
        ["INCR", "b"],
      ]),
    )
    expect(error).toBeInstanceOf(Refused)
    expect(error.code).toBe("SERVER.CROSSSLOT")
    expect(cluster.nodes.flatMap(({ log }) => log)).toEqual([])
  })
})

describe("MOVED", () => {
  test("is followed at once, and later calls go there directly", async () => {
    cluster.nodes[1]!.answer = () => cluster.to(2, A)
    await open()
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 2")
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 2")
    expect(cluster.nodes[1]!.log).toEqual(["ECHO2 a"])
  })

  test("wins over an answer to a question that was asked before it", async () => {
    cluster.nodes[1]!.answer = ([, key]) => cluster.to(2, key === "a" ? A : clusterSlot("foo"))
    await open()
    await driver!.send(["ECHO2", "b"])
    const held: (() => void)[] = (cluster.nodes[0]!.held = [])
    for (const node of cluster.nodes.slice(1)) node.slots = "-ERR not me\r\n"
    // One slot has moved, so the others are asked for, and the only node that knows takes its time.
    expect(await driver!.send(["ECHO2", "foo"])).toBe("node 2")
    await until(() => held.length > 0)
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 2")
    cluster.owners([0, 8191, 0], [8192, 16383, 2])
    for (const say of held) say()
    cluster.nodes[0]!.held = undefined
    // Behind that answer, on the same connection.
    await driver!.send(["ECHO2", "b"])
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 2")
    expect(cluster.nodes[1]!.log).toEqual(["ECHO2 foo", "ECHO2 a"])
  })

  test("of one command of a batch sends only that one again", async () => {
    cluster.nodes[1]!.answer = ([, , n]) => (n === "1" ? cluster.to(2, A) : undefined)
    await open()
    const commands = ["0", "1", "2"].map((n) => ["ECHO2", "a", n])
    expect(await driver!.batch(commands)).toEqual(["node 1", "node 2", "node 1"])
    expect(cluster.nodes[2]!.log).toEqual(["ECHO2 a 1"])
  })

  test("of a batch counts for each command by itself, however many there are", async () => {
    const there = new Map<string, number>()
    const twice = (to: number) => (command: readonly string[]) => {
      const times = (there.get(`${to} ${command[2]}`) ?? 0) + 1
      there.set(`${to} ${command[2]}`, times)
      return times > 2 && to === 2 ? undefined : cluster.to(to, A)
    }
    // Each goes to and fro four times, which is within what one call may.
    cluster.nodes[1]!.answer = twice(2)
    cluster.nodes[2]!.answer = twice(1)
    await open()
    const commands = Array.from({ length: 8 }, (_, n) => ["ECHO2", "a", String(n)])
    expect(await driver!.batch(commands)).toEqual(commands.map(() => "node 1"))
  })

  test("in a transaction sends the whole of it elsewhere", async () => {
    const queued = (exec: string) => (command: readonly string[]) =>
      command[0] === "MULTI" ? "+OK\r\n" : command[0] === "EXEC" ? exec : undefined
    cluster.nodes[1]!.answer = (command) =>
      command[0] === "INCR"
        ? cluster.to(2, A)
        : queued("-EXECABORT Transaction discarded because of previous errors.\r\n")(command)
    cluster.nodes[2]!.answer = (command) => (command[0] === "INCR" ? "+QUEUED\r\n" : queued(list(":1\r\n"))(command))
    await open()
    expect(await driver!.multi([["INCR", "a"]])).toEqual([1])
    expect(cluster.nodes[2]!.log).toEqual(["MULTI", "INCR a", "EXEC"])
  })

  test("round and round ends at the deadline, and nothing was applied", async () => {
    await open()
    cluster.nodes[1]!.answer = once(cluster.to(2, A))
    await driver!.send(["ECHO2", "a"])
    cluster.nodes[1]!.answer = () => cluster.to(2, A)
    cluster.nodes[2]!.answer = () => cluster.to(1, A)
    const error = await certainFailureOf(() => driver!.send(["INCR", "a"], { timeoutMs: 400 }))
    expect(error).toBeInstanceOf(NotApplied)
    expect(error.code).toBe("CLUSTER.REDIRECTS")
    expect(error.message).toMatch(/127\.0\.0\.1:\d+/)
  })

  test("to nowhere, or to an address that makes no sense, is waited out", async () => {
    cluster.nodes[1]!.answer = once(`-MOVED ${A} ?:0\r\n`)
    await open()
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
  })

  test("to a node that is down waits for a new owner, and nothing is sent twice", async () => {
    const { port } = cluster.nodes[2]!
    await cluster.nodes[2]!.server.close()
    cluster.nodes[1]!.answer = once(`-MOVED ${A} 127.0.0.1:${port}\r\n`)
    await open()
    expect(await driver!.send(["INCR2", "a"])).toBe("node 1")
    expect(cluster.nodes[1]!.log).toEqual(["INCR2 a", "INCR2 a"])
  })
})

describe("ASK", () => {
  test("is followed once, with ASKING directly before the call; the owner stays", async () => {
    cluster.nodes[1]!.answer = once(cluster.to(2, A, "ASK"))
    await open()
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 2")
    expect(cluster.nodes[2]!.log).toEqual(["ASKING", "ECHO2 a"])
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
  })

  test("comes again before the script that follows an unknown digest", async () => {
    cluster.nodes[1]!.answer = () => cluster.to(2, A, "ASK")
    await open()
    expect(await driver!.run(script, ["a"], [])).toBe("node 2")
    expect(cluster.nodes[2]!.log).toEqual(["ASKING", `EVAL ${script.source} 1 a`])
    cluster.nodes[2]!.answer = ([name]) => (name === "EVALSHA" ? "-NOSCRIPT No matching script.\r\n" : undefined)
    cluster.nodes[2]!.log.length = 0
    expect(await driver!.run(script, ["a"], [])).toBe("node 2")
    expect(cluster.nodes[2]!.log).toEqual([
      "ASKING",
      `EVALSHA ${script.sha1} 1 a`,
      "ASKING",
      `EVAL ${script.source} 1 a`,
    ])
  })

  test("goes once before a transaction", async () => {
    const answers: Record<string, string> = { MULTI: "+OK\r\n", EXEC: list(":1\r\n"), INCR: "+QUEUED\r\n" }
    cluster.nodes[1]!.answer = ([name]) =>
      name === "INCR"
        ? cluster.to(2, A, "ASK")
        : name === "EXEC"
          ? "-EXECABORT Transaction discarded because of previous errors.\r\n"
          : "+OK\r\n"
    cluster.nodes[2]!.answer = ([name]) => answers[name!]
    await open()
    expect(await driver!.multi([["INCR", "a"]])).toEqual([1])
    expect(cluster.nodes[2]!.log).toEqual(["ASKING", "MULTI", "INCR a", "EXEC"])
  })

  test("a write and its WAIT follow together", async () => {
    cluster.nodes[1]!.answer = ([name]) => (name === "WAIT" ? ":1\r\n" : cluster.to(2, A, "ASK"))
    cluster.nodes[2]!.answer = ([name]) => (name === "WAIT" ? ":1\r\n" : undefined)
    await open()
    const commands = [
      ["INCR2", "a"],
      ["WAIT", "1", "100"],
    ]
    expect(await driver!.batch(commands)).toEqual(["node 2", 1])
    expect(cluster.nodes[2]!.log).toEqual(["ASKING", "INCR2 a", "WAIT 1 100"])
    // The target may send it back: then all of it is tried again at the owner, some milliseconds later.
    const tryAgain = once("-TRYAGAIN Multiple keys request during rehashing of slot\r\n")
    cluster.nodes[2]!.answer = ([name]) => (name === "WAIT" ? ":1\r\n" : tryAgain())
    expect(await driver!.batch(commands)).toEqual(["node 2", 1])
  })

  test("of one command of a batch goes before that one alone", async () => {
    cluster.nodes[1]!.answer = ([, , n]) => (n === "1" ? cluster.to(2, A, "ASK") : undefined)
    await open()
    expect(await driver!.batch(["0", "1"].map((n) => ["ECHO2", "a", n]))).toEqual(["node 1", "node 2"])
    expect(cluster.nodes[2]!.log).toEqual(["ASKING", "ECHO2 a 1"])
  })
})

describe("not now", () => {
  for (const refusal of [
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "CLUSTERDOWN The cluster is down",
    "LOADING Redis is loading the dataset in memory",
    "MASTERDOWN Link with MASTER is down",
    "READONLY You can't write against a read only replica.",
  ]) {
    const [word] = refusal.split(" ")
    test(`${word} is waited out, and the call carried out`, async () => {
      let left = 3
      cluster.nodes[1]!.answer = () => (left-- > 0 ? `-${refusal}\r\n` : undefined)
      await open()
      expect(await driver!.send(["INCR2", "a"])).toBe("node 1")
      expect(cluster.nodes[1]!.log.length).toBe(4)
    })

    test(`${word} to the deadline is NotApplied, and names the node`, async () => {
      await open()
      await driver!.send(["ECHO2", "a"])
      cluster.nodes[1]!.answer = () => `-${refusal}\r\n`
      const error = await certainFailureOf(() => driver!.send(["INCR2", "a"], { timeoutMs: 300 }))
      expect(error).toBeInstanceOf(NotApplied)
      expect(error.code).toBe(`SERVER.${word}`)
      expect(error.message).toContain(String(cluster.nodes[1]!.port))
    })
  }

  test("a cluster that is down because of another node names that node, and the one that says so", async () => {
    await open()
    await driver!.send(["ECHO2", "b"])
    await cluster.nodes[1]!.server.close()
    await failureOf(driver!.send(["ECHO2", "a"], { timeoutMs: 100 }))
    cluster.nodes[0]!.answer = () => "-CLUSTERDOWN The cluster is down\r\n"
    const error = await certainFailureOf(() => driver!.send(["INCR2", "b"], { timeoutMs: 300 }))
    const [said, away] = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`)
    expect(error.details).toMatchObject({ node: { address: said, role: "primary", slot: B }, unreached: [away] })
    expect(error.why).toContain(away)
  })

  test("a slot that moves away meanwhile is followed", async () => {
    let left = 2
    cluster.nodes[1]!.answer = () => (left-- > 0 ? "-TRYAGAIN later\r\n" : cluster.to(2, A))
    await open()
    expect(await driver!.send(["INCR2", "a"])).toBe("node 2")
  })

  test("EXEC that is told to try again is sent again as a whole", async () => {
    let left = 2
    cluster.nodes[1]!.answer = ([name]) =>
      name === "MULTI"
        ? "+OK\r\n"
        : name === "INCR"
          ? "+QUEUED\r\n"
          : left-- > 0
            ? "-TRYAGAIN Multiple keys request during rehashing of slot\r\n"
            : list(":1\r\n")
    await open()
    expect(await driver!.multi([["INCR", "a"]])).toEqual([1])
    expect(cluster.nodes[1]!.log.length).toBe(9)
  })

  test("an error of the command itself is its own, and final", async () => {
    cluster.nodes[1]!.answer = () => "-ERR no such thing\r\n"
    await open()
    expect(await failureOf(driver!.send(["INCR2", "a"]))).toBeInstanceOf(Refused)
    expect(cluster.nodes[1]!.log.length).toBe(1)
  })
})

describe("a node that is lost", () => {
  test("calls that were not sent go to the new owner; one that was is unknown", async () => {
    await open()
    await driver!.send(["ECHO2", "a"])
    cluster.nodes[1]!.answer = () => SILENCE
    const sent = failureOf(driver!.send(["INCR2", "a"]))
    await until(() => cluster.nodes[1]!.log.includes("INCR2 a"))
    await cluster.nodes[1]!.server.close()
    expect(await sent).toBeInstanceOf(OutcomeUnknown)
    const waiting = driver!.send(["INCR2", "a", "later"])
    cluster.owners([0, 8191, 0], [8192, 16383, 2])
    expect(await waiting).toBe("node 2")
    expect(cluster.nodes[2]!.log).toEqual(["INCR2 a later"])
  })

  test("a call that may be repeated is repeated at the new owner", async () => {
    await open()
    await driver!.send(["ECHO2", "a"])
    cluster.nodes[1]!.answer = () => SILENCE
    const call = driver!.send(["GET2", "a"], { safe: true })
    await until(() => cluster.nodes[1]!.log.includes("GET2 a"))
    await cluster.nodes[1]!.server.close()
    cluster.owners([0, 8191, 0], [8192, 16383, 2])
    expect(await call).toBe("node 2")
  })

  test("the part of a batch that was for it is sent to the new owners", async () => {
    await open()
    await driver!.send(["ECHO2", "b"])
    await cluster.nodes[1]!.server.close()
    const call = driver!.batch([
      ["ECHO2", "a"],
      ["ECHO2", "b"],
      ["ECHO2", "{a}2"],
      ["ECHO2", "foo"],
    ])
    await until(() => cluster.nodes[0]!.log.length > 1)
    cluster.owners([0, 8191, 0], [8192, 16383, 2])
    expect(await call).toEqual(["node 2", "node 0", "node 2", "node 2"])
  })

  test("calls to other nodes are answered meanwhile", async () => {
    await open()
    await driver!.batch([
      ["ECHO2", "a"],
      ["ECHO2", "b"],
    ])
    cluster.nodes[1]!.answer = () => SILENCE
    const stuck = failureOf(driver!.send(["INCR2", "a"]))
    for (let i = 0; i < 100; i++) expect(await driver!.send(["ECHO2", "b"])).toBe("node 0")
    expect(await stuck).toBeInstanceOf(OutcomeUnknown)
  })

  test("an answer after half of the node's timeout does not count", async () => {
    await open()
    await driver!.send(["ECHO2", "a"])
    cluster.nodes[1]!.answer = () => SILENCE
    // The node timeout is two seconds: after one of silence, the link is ended.
    const error = await failureOf(driver!.send(["INCR2", "a"], { timeoutMs: 20_000 }))
    expect(error).toBeInstanceOf(OutcomeUnknown)
    expect(error.code).toBe("DRIVER.CONNECTION_LOST")
    expect((error as Error & { cause?: Error }).cause?.message).toContain("silent for 1000 ms")
    // What comes after it is answered on another connection: that one is read no more.
    cluster.nodes[1]!.answer = () => undefined
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 1")
    expect(cluster.nodes[1]!.server.opened()).toBeGreaterThan(1)
  })

  test("that has left the cluster is closed", async () => {
    await open()
    await driver!.send(["ECHO2", "a"])
    cluster.owners([0, 8191, 0], [8192, 16383, 2])
    cluster.nodes[1]!.answer = () => cluster.to(2, A)
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 2")
    await until(() => cluster.nodes[1]!.server.open() === 0)
  })

  test("one that answers as a replica is asked nothing, and the owner found", async () => {
    cluster.nodes[1]!.role = "replica"
    await open()
    const call = driver!.send(["INCR2", "a"])
    await until(() => cluster.nodes[1]!.server.opened() > 1)
    cluster.owners([0, 8191, 0], [8192, 16383, 2])
    expect(await call).toBe("node 2")
    expect(cluster.nodes[1]!.log).toEqual([])
  })
})

describe("what all primaries are asked", () => {
  /** The node comes back as a replica of node 2. */
  const failedOver = (node: 0 | 1) => {
    cluster.nodes[node]!.role = "replica"
    if (node === 0) cluster.owners([0, 8191, 2, 0], [8192, 16383, 1])
    else cluster.owners([0, 8191, 0], [8192, 16383, 2, 1])
    // What is not RESP ends its connections.
    cluster.nodes[node]!.server.say("?\r\n")
  }
  beforeEach(() => {
    for (const node of cluster.nodes)
      node.answer = ([name]) => (name === "SCAN" ? list(bulk("0"), list()) : name === "KEYS" ? list() : undefined)
  })
  const asked = (name: string) => cluster.nodes.map(({ log }) => log.filter((line) => line.startsWith(name)).length)

  test("is asked of the one that has taken over, not of the one that has become a replica", async () => {
    await open()
    await driver!.send(["ECHO2", "a"])
    cluster.nodes[1]!.answer = () => SILENCE
    const call = driver!.send(["KEYS", "*"], { safe: true })
    await until(() => asked("KEYS")[1] === 1)
    failedOver(1)
    expect(await call).toEqual([])
    expect(asked("KEYS")).toEqual([1, 1, 1])
  })

  test("SCAN goes past the numbers of nodes that have become replicas", async () => {
    await open()
    const walk = async () => {
      let cursor = "0"
      do cursor = String(((await driver!.send(["SCAN", cursor], { safe: true })) as string[])[0])
      while (cursor !== "0")
    }
    await walk()
    failedOver(0)
    await driver!.send(["ECHO2", "b"], { safe: true })
    await walk()
    expect(asked("SCAN")).toEqual([1, 2, 1])
  })
})

test("SCAN asks a replica that was found to have taken over, before the others are known to have heard of it", async () => {
  for (const [i, node] of cluster.nodes.entries())
    node.answer = ([name]) => (name === "SCAN" ? list(bulk("0"), list(bulk(`key of node ${i}`))) : undefined)
  cluster.nodes[2]!.role = "replica"
  cluster.owners([0, 8191, 0, 2], [8192, 16383, 1])
  await open()
  await driver!.send(["ECHO2", "b"])
  for (const node of cluster.nodes) node.held = []
  cluster.nodes[2]!.role = "master"
  const slot = clusterSlot("b")
  cluster.nodes[0]!.answer = ([name]) => (name === "SCAN" ? list(bulk("0"), list()) : cluster.to(2, slot))
  expect(await driver!.send(["ECHO2", "b"], { safe: true })).toBe("node 2")
  const found: unknown[] = []
  let cursor = "0"
  do {
    const [next, keys] = (await driver!.send(["SCAN", cursor], { safe: true })) as [string, string[]]
    found.push(...keys)
    cursor = next
  } while (cursor !== "0")
  expect(found).toContain("key of node 2")
})

describe("who owns what", () => {
  test("the majority is believed, not the first to answer", async () => {
    const [first, second, third] = cluster.nodes
    for (const node of [second!, third!]) node.slots = [[0, 16383, 2]]
    first!.slots = [[0, 16383, 0]]
    await open({}, `redis://127.0.0.1:${first!.port},127.0.0.1:${second!.port},127.0.0.1:${third!.port}`)
    expect(await driver!.send(["ECHO2", "a"])).toBe("node 2")
  })

  test("half an answer, or none at all, is not believed", async () => {
    cluster.nodes[0]!.slots = list(list(":0\r\n", ":8191\r\n"))
    await open({}, `redis://127.0.0.1:${cluster.nodes[0]!.port},127.0.0.1:${cluster.nodes[1]!.port}`)
    expect(await driver!.send(["ECHO2", "b"])).toBe("node 0")
  })

  test("a slot without an owner is waited for", async () => {
    cluster.owners([0, 8191, 0])
    await open()
    const call = driver!.send(["ECHO2", "a"])
    await until(() => cluster.nodes[0]!.asked > 3)
    cluster.owners([0, 8191, 0], [8192, 16383, 1])
    expect(await call).toBe("node 1")
  })

  test("a slot that stays without an owner: NotApplied, with the slot and what to do", async () => {
    cluster.owners([0, 8191, 0])
    await open()
    await driver!.send(["ECHO2", "b"])
    const error = await failureOf(driver!.send(["INCR2", "a"], { timeoutMs: 300 }))
    expect(error).toBeInstanceOf(NotApplied)
    expect(error.code).toBe("CLUSTER.NO_OWNER")
    expect(error.message).toContain(`slot ${A}`)
  })

  test("questions are few, however many calls are moved", async () => {
    for (const node of cluster.nodes) node.answer = () => cluster.to(2, A)
    cluster.nodes[2]!.answer = () => undefined
    await open()
    await Promise.all(Array.from({ length: 500 }, (_, i) => driver!.send(["ECHO2", "{a}", String(i)])))
    expect(cluster.nodes.reduce((sum, { asked }) => sum + asked, 0)).toBeLessThan(20)
  })

  test("questions go over the connections that there are", async () => {
    await open()
    await driver!.batch([
      ["ECHO2", "a"],
      ["ECHO2", "b"],
    ])
    // From the first node to the third and back: the connections to all of them are there then.
    const opened = () => cluster.nodes.map(({ server }) => server.opened())
    const asked = () => cluster.nodes.reduce((sum, node) => sum + node.asked, 0)
    let before: number[] = []
    for (let round = 0; round < 4; round++) {
      const [from, to] = round % 2 === 0 ? [1, 2] : [2, 1]
      cluster.owners([0, 8191, 0], [8192, 16383, to!])
      cluster.nodes[from!]!.answer = () => cluster.to(to!, A)
      cluster.nodes[to!]!.answer = () => undefined
      const questions = asked()
      expect(await driver!.send(["ECHO2", "a"])).toBe(`node ${to}`)
      await until(() => asked() > questions)
      if (round === 1) before = opened()
    }
    // A node that has left is closed, and opened again when it is back: one connection, not one for each question.
    expect(opened()[0]).toBe(before[0])
    expect(opened()[1]! - before[1]! + opened()[2]! - before[2]!).toBeLessThanOrEqual(4)
  })

  test("a node that says nothing about the slots holds up nobody", async () => {
    cluster.owners([0, 8191, 0], [8192, 12287, 1], [12288, 16383, 2])
    await open()
    await driver!.batch(["b", "a", "foo"].map((key) => ["ECHO2", key]))
    cluster.nodes[0]!.slots = SILENCE
    for (const node of cluster.nodes.slice(1))
      node.slots = [
        [0, 8191, 0],
        [8192, 16383, 1],
      ]
    await cluster.nodes[2]!.server.close()
    expect(await driver!.send(["ECHO2", "a"], { safe: true })).toBe("node 1")
    expect(clusterSlot("a")).toBeGreaterThan(12_287)
  })

  test("while nobody can say, questions become fewer", async () => {
    for (const node of cluster.nodes) node.slots = "-ERR not now\r\n"
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 3000 })
    const error = await failureOf(driver.send(["ECHO2", "a"]))
    expect(error.code).toBe("CLUSTER.NO_OWNER")
    expect(cluster.nodes[0]!.asked).toBeGreaterThan(1)
    // Every 100 ms would be thirty.
    expect(cluster.nodes[0]!.asked).toBeLessThan(12)
  })

  test("the addresses that were given are asked again when all nodes were lost", async () => {
    await open({}, `redis://127.0.0.1:${cluster.nodes[0]!.port},127.0.0.1:${cluster.nodes[2]!.port}`)
    await driver!.batch([
      ["ECHO2", "a"],
      ["ECHO2", "b"],
    ])
    for (const node of cluster.nodes) node.slots = [[0, 16383, 2]]
    await cluster.nodes[0]!.server.close()
    await cluster.nodes[1]!.server.close()
    expect(await driver!.send(["ECHO2", "a"], { safe: true })).toBe("node 2")
  })

  test("a name that was given is resolved again at each dial: it may lead to another machine by then", async () => {
    const lookup = vi.spyOn(dns, "lookup")
    try {
      await open({}, `redis://localhost:${cluster.nodes[0]!.port},localhost:${cluster.nodes[2]!.port}`)
      await driver!.send(["ECHO2", "a"])
      const before = lookup.mock.calls.length
      for (const node of cluster.nodes) node.slots = [[0, 16383, 2]]
      await cluster.nodes[0]!.server.close()
      await cluster.nodes[1]!.server.close()
      expect(await driver!.send(["ECHO2", "a"], { safe: true })).toBe("node 2")
      const names = lookup.mock.calls.slice(before).map(([name]) => name)
      expect(names).toContain("localhost")
    } finally {
      lookup.mockRestore()
    }
  })
})

describe("channels", () => {
  const confirm = ([name, ...channels]: readonly string[]): string | undefined =>
    name === "SUBSCRIBE" || name === "SSUBSCRIBE"
      ? channels.map((channel, i) => list(bulk(name.toLowerCase()), bulk(channel), `:${i + 1}\r\n`)).join("")
      : undefined
  const told = (word: string) =>
    cluster.nodes.map(({ log }) =>
      log.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1)),
    )
  let gaps = 0
  beforeEach(() => {
    gaps = 0
    for (const node of cluster.nodes) node.answer = confirm
  })
  const listen = (to: { channels?: string[]; sharded?: string[] }) =>
    driver!.subscribe({ ...to, onMessage: () => undefined, onGap: () => gaps++ })

  test("that are classic are heard from one node, and from another when that one is lost", async () => {
    await open()
    // Until then, only the address that was given is known.
    await driver!.send(["ECHO2", "a"])
    const subscription = await listen({ channels: ["news"] })
    const at = told("SUBSCRIBE").findIndex((found) => found.length > 0)
    expect(told("SUBSCRIBE").flat()).toEqual(["news"])
    await cluster.nodes[at]!.server.close()
    const left = at === 0 ? 1 : 0
    for (const node of cluster.nodes) node.slots = [[0, 16383, left]]
    await until(() => gaps > 0)
    expect(told("SUBSCRIBE")[left]).toEqual(["news"])
    await subscription.close()
  })

  test("that are sharded: one SSUBSCRIBE for each slot, at its owner", async () => {
    await open()
    const subscription = await listen({ sharded: ["{a}1", "b", "{a}2"] })
    expect(told("SSUBSCRIBE")).toEqual([["b"], ["{a}1 {a}2"], []])
    await subscription.close()
  })

  test("that are sharded follow MOVED, and report the gap when the node says that the slot has left", async () => {
    const [, second] = cluster.nodes
    let isMoved = false
    second!.answer = (command) => (command[0] === "SSUBSCRIBE" && isMoved ? cluster.to(2, A) : confirm(command))
    await open()
    const subscription = await listen({ sharded: ["a"] })
    isMoved = true
    cluster.owners([0, 8191, 0], [8192, 16383, 2])
    second!.server.say(list(bulk("sunsubscribe"), bulk("a"), ":0\r\n"))
    await until(() => gaps > 0)
    expect(told("SSUBSCRIBE")[2]).toEqual(["a"])
    await subscription.close()
  })
})
