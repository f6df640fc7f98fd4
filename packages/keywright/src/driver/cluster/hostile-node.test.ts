/* A node of a cluster that lies about the others, and servers that never let a call come to its end. */

import net from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { bulk, type FakeCluster, list, startFakeNodes } from "../../../../../test/fake-nodes.ts"
import { type HostileAnswer, startHostile } from "../../../../../test/hostile-server.ts"
import { KeywrightError } from "../../errors/error.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import { clusterSlot } from "../cluster-slot.ts"
import type { Driver } from "../driver.ts"
import { openServer, type RespOptions } from "../resp/open-resp.ts"
import { until } from "../../../../../test/until.ts"
import { MOST_STRANGERS } from "./topology.ts"

let cluster: FakeCluster
let driver: Driver | undefined
const NODES = 3 + MOST_STRANGERS + 4

beforeEach(async () => {
  cluster = await startFakeNodes(NODES)
  cluster.owners([0, 8191, 0], [8192, 16383, 1])
})
afterEach(async () => {
  await driver?.close()
  driver = undefined
  await cluster.close()
})

const open = async (options: RespOptions): Promise<Driver> => {
  driver = openServer(cluster.nodes[0]!.url, options)
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

/** Servers that take connections and say nothing. */
async function startSilent(count: number) {
  const servers: net.Server[] = []
  const sockets = new Set<net.Socket>()
  let most = 0
  for (let i = 0; i < count; i++) {
    const server = net.createServer((socket) => {
      sockets.add(socket)
      most = Math.max(most, sockets.size)
      socket.on("error", () => undefined)
      socket.on("close", () => sockets.delete(socket))
      socket.resume()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    servers.push(server)
  }
  return {
    ports: servers.map((server) => (server.address() as net.AddressInfo).port),
    most: () => most,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}

describe("a node that leads to very many addresses", () => {
  for (const how of ["ASK", "MOVED"] as const)
    test(`with ${how} has only a few of them dialled, and the calls say why`, async () => {
      const silent = await startSilent(5 * MOST_STRANGERS)
      const lie = ([, key]: readonly string[]) =>
        `-${how} ${clusterSlot(key!)} 127.0.0.1:${silent.ports[Number(key!.slice("key:".length)) % silent.ports.length]}\r\n`
      for (const node of cluster.nodes) node.answer = lie
      await open({ timeoutMs: 700 })
      const calls = Array.from({ length: 500 }, (_, i) => failureOf(driver!.send(["GET", `key:${i}`])))
      const errors = await Promise.all(calls)
      expect(errors.every((error) => error instanceof KeywrightError)).toBe(true)
      const refused = errors.filter(({ code }) => code === "CLUSTER.STRANGERS")
      expect(refused.length).toBeGreaterThan(0)
      expect(refused.every((error) => error instanceof NotApplied)).toBe(true)
      expect(refused[0]!.details?.["node"]).toMatchObject({ role: "primary" })
      // Those of the next second may be dialled before the first ones are closed.
      expect(silent.most()).toBeLessThanOrEqual(3 * MOST_STRANGERS)
      await driver!.close()
      await silent.close()
    })

  for (const [who, greeting] of [
    ["a port that hangs up", undefined],
    ["a server that is no node", "%2\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$5\r\nproto\r\n:3\r\n"],
  ] as const)
    test(`or to ${who}, again and again, has that dialled more and more rarely`, async () => {
      const foreign = await startHostile(
        () => "+OK\r\n",
        ([name], socket) => (greeting === undefined ? void socket.destroy() : name === "HELLO" ? greeting : "+OK\r\n"),
      )
      const port = new URL(foreign.url).port
      for (const node of cluster.nodes) node.answer = ([, key]) => `-MOVED ${clusterSlot(key!)} 127.0.0.1:${port}\r\n`
      await open({ timeoutMs: 500 })
      const began = performance.now()
      while (performance.now() - began < 2000)
        await Promise.all(Array.from({ length: 5 }, (_, i) => failureOf(driver!.send(["GET", `key:${i}`]))))
      expect(foreign.opened()).toBeGreaterThan(0)
      // Six times until the delay is at its longest, of which a half is certain.
      expect(foreign.opened()).toBeLessThan(8 + (performance.now() - began) / 250)
      await foreign.close()
    })

  test("is believed when they are new nodes of the cluster, however many came at once", async () => {
    await open({ timeoutMs: 20_000 })
    const added = Array.from({ length: NODES - 2 }, (_, i) => i + 2)
    const width = Math.ceil(16384 / added.length)
    const ownerOf = (slot: number): number => added[Math.floor(slot / width)]!
    for (const node of cluster.nodes.slice(0, 2))
      node.answer = ([, key]) => cluster.to(ownerOf(clusterSlot(key!)), clusterSlot(key!))
    cluster.owners(...added.map((node, i) => [i * width, Math.min(16383, (i + 1) * width - 1), node] as const))
    const keys = Array.from({ length: 300 }, (_, i) => `key:${i}`)
    const answers = await Promise.all(keys.map((key) => driver!.send(["ECHO2", key])))
    expect(answers).toEqual(keys.map((key) => `node ${ownerOf(clusterSlot(key))}`))
  })
})

test("a node that says of another node's slot that it has it now does not get its calls", async () => {
  await open({ timeoutMs: 5000 })
  const [own, others] = ["key:1", "key:2"]
  expect([own, others].map((key) => clusterSlot(key!) < 8192)).toEqual([true, false])
  const [thief] = cluster.nodes
  let lies = 0
  thief!.answer = ([name]) => (name === "GET" && lies++ === 0 ? cluster.to(0, clusterSlot(others!)) : undefined)
  expect(await driver!.send(["GET", own!])).toBe("node 0")
  expect(lies).toBeGreaterThan(0)
  expect(await driver!.send(["GET", others!])).toBe("node 1")
})

test("a node that says of all slots that they are its own does not get other nodes' calls, also if it alone is in use", async () => {
  const [others, own] = ["key:1", "key:2"]
  const [honest, thief] = cluster.nodes
  await open({ timeoutMs: 5000 })
  expect(await driver!.send(["GET", own!])).toBe("node 1")
  thief!.slots = [[0, 16_383, 1]]
  const asked = cluster.nodes.map((node) => node.asked)
  let lies = 0
  thief!.answer = ([name]) => (name === "GET" && lies++ === 0 ? cluster.to(1, clusterSlot(own!)) : undefined)
  expect(await driver!.send(["GET", own!])).toBe("node 1")
  await until(() => thief!.asked > asked[1]!)
  await sleep(100)
  expect(honest!.asked).toBeGreaterThan(asked[0]!)
  expect(await driver!.send(["GET", others!])).toBe("node 0")
})

/** Keys in the slots of three nodes. */
const keys = ["key:1", "key:2", "key:3", "key:4", "key:5", "key:6"]
const honest = keys.map((key) => `node ${Math.min(2, Math.floor(clusterSlot(key) / 5000))}`)
const answers = () => Promise.all(keys.map((key) => driver!.send(["GET", key])))
const share = () => cluster.owners([0, 4999, 0], [5000, 9999, 1], [10_000, 16_383, 2])

describe("a node that gives other nodes' ids its own address", () => {
  const seeds = () => `redis://${[0, 1, 2].map((i) => `127.0.0.1:${cluster.nodes[i]!.port}`).join()}`
  const place = (id: number) =>
    list(bulk("127.0.0.1"), `:${cluster.nodes[2]!.port}\r\n`, bulk(`id-of-node-${id}`), list())
  /** Node 2 says that all three are where it is. */
  const lie = () =>
    list(...[0, 1, 2].map((id) => list(`:${id * 5000}\r\n`, `:${id === 2 ? 16_383 : id * 5000 + 4999}\r\n`, place(id))))
  beforeEach(share)

  test("does not get their calls by answering first", async () => {
    expect(new Set(honest).size).toBe(3)
    cluster.nodes[2]!.slots = lie()
    for (const node of cluster.nodes.slice(0, 2)) node.slowMs = 30
    driver = openServer(seeds(), { timeoutMs: 10_000 })
    expect(await answers()).toEqual(honest)
  })

  test("and was the only one to answer at first keeps no calls when the others answer", async () => {
    cluster.nodes[2]!.slots = lie()
    for (const node of cluster.nodes.slice(0, 2)) node.held = []
    driver = openServer(seeds(), { timeoutMs: 10_000 })
    expect(await answers()).toEqual(keys.map(() => "node 2"))
    for (const node of cluster.nodes.slice(0, 2)) node.held = undefined
    let lies = 0
    cluster.nodes[2]!.answer = ([, key]) => (lies++ === 0 ? cluster.to(2, clusterSlot(key!)) : undefined)
    await driver.send(["GET", keys[0]!])
    await until(async () => JSON.stringify(await answers()) === JSON.stringify(honest))
  })
})

describe("a node that lies about all others while they take long to answer", () => {
  test.each([
    ["and says that their slots are its own", 2],
    ["and says that all slots are those of a new node, at which it listens as well", 3],
  ])("%s, does not get their calls", async (_, owner) => {
    share()
    await open({ timeoutMs: 20_000 })
    expect(await answers()).toEqual(honest)
    // Longer than they are waited for, but not so long that they are given up.
    for (const node of cluster.nodes.slice(0, 2)) node.slowMs = 600
    for (const node of cluster.nodes.slice(2)) node.slots = [[0, 16_383, owner]]
    const [, , thief] = cluster.nodes
    const { asked } = thief!
    const own = keys[honest.indexOf("node 2")]!
    let lies = 0
    thief!.answer = ([, key]) => (lies++ === 0 ? cluster.to(2, clusterSlot(key!)) : undefined)
    await driver!.send(["GET", own])
    await until(() => thief!.asked >= asked + 2)
    await sleep(1000)
    expect(await answers()).toEqual(honest)
  })
})

test("a redirect to an address that the password is a part of is followed", async () => {
  driver = openServer(cluster.nodes[0]!.url.replace("//", "//:127.0@"), { timeoutMs: 5000 })
  cluster.nodes[0]!.answer = () => cluster.to(2, clusterSlot("key:1"))
  expect(await driver.send(["GET", "key:1"])).toBe("node 2")
})

describe("a node that names more nodes than any cluster has", () => {
  const node = (port: number, id: string) => `*3\r\n${bulk("127.0.0.1")}:${port}\r\n${bulk(id)}`

  test("as primaries is not believed, and none of them is dialled", async () => {
    const silent = await startSilent(3)
    const rows = Array.from(
      { length: 16384 },
      (_, slot) => `*3\r\n:${slot}\r\n:${slot}\r\n${node(silent.ports[slot % 3]!, `id${slot}`)}`,
    )
    for (const one of cluster.nodes) one.slots = `*${rows.length}\r\n${rows.join("")}`
    driver = openServer(cluster.nodes[0]!.url, { timeoutMs: 3000 })
    const error = await failureOf(driver.send(["GET", "a"]))
    expect(error).toBeInstanceOf(NotApplied)
    expect(error.cause).toMatchObject({ code: "CLUSTER.TOO_MANY_NODES", details: { primaries: 16384 } })
    expect(error.why).toContain(`127.0.0.1:${cluster.nodes[0]!.port} names 16384 primaries`)
    expect(error.fix).toContain("Check what listens at this address")
    expect(silent.most()).toBe(0)
    await silent.close()
  })

  test("as replicas, or more ranges than there are slots, is not believed", async () => {
    const replicas = Array.from({ length: 20_000 }, (_, at) => node(1, `r${at}`))
    const lies = [
      `*1\r\n*${replicas.length + 2}\r\n:0\r\n:16383\r\n${replicas.join("")}`,
      `*16385\r\n${`*3\r\n:0\r\n:16383\r\n${node(1, "id")}`.repeat(16_385)}`,
      // All slots, again and again: they were filled in each time, ten times a second.
      `*16384\r\n${`*3\r\n:0\r\n:16383\r\n${node(1, "id")}`.repeat(16_384)}`,
      `*20\r\n${Array.from({ length: 20 }, (_, at) => `*1002\r\n:${at}\r\n:${at}\r\n${replicas.slice(1000 * at, 1000 * (at + 1)).join("")}`).join("")}`,
    ]
    for (const lie of lies) {
      for (const one of cluster.nodes) one.slots = lie
      const own = openServer(cluster.nodes[0]!.url, { timeoutMs: 3000 })
      expect((await failureOf(own.send(["GET", "a"]))).cause).toMatchObject({ code: "CLUSTER.SLOTS" })
      await own.close()
    }
  })
})

describe("a node that names more members than any cluster has", () => {
  const line = (id: string, port: number, rest: string) => `${id} 127.0.0.1:${port}@1 ${rest}`
  const strangers = (count: number) =>
    Array.from({ length: count }, (_, at) => line(`s${at}`, 1024 + at, `master - 0 0 1 connected ${at % 16384}`))

  test("as primaries is not believed when slots are asked for", async () => {
    const own = await open({ timeoutMs: 3000 })
    const members = strangers(30_000).join("\n")
    for (const one of cluster.nodes) one.members = members
    expect(await failureOf(own.slots!())).toMatchObject({
      code: "CLUSTER.TOO_MANY_NODES",
      details: { primaries: 30_000 },
    })
  })

  test("whose slots are all of them, many times over, is not believed when slots are asked for", async () => {
    const own = await open({ timeoutMs: 3000 })
    const { port } = cluster.nodes[0]!
    const me = (words: string) => line("id-of-node-0", port, `myself,master - 0 0 1 connected ${words}`)
    for (const lie of [
      me("0-16383 ".repeat(200_000)),
      me(`${"[1->-s0] ".repeat(200_000)}\n${strangers(900).join("\n")}`),
      Array.from({ length: 900 }, (_, at) => line(`s${at}`, port, "master - 0 0 1 connected 0-16383")).join("\n"),
    ]) {
      cluster.nodes[0]!.members = lie
      expect(await failureOf(own.slots!())).toMatchObject({ code: "CLUSTER.SLOTS" })
    }
  })

  test("a few at a time is believed up to a bound", async () => {
    const own = await open({ timeoutMs: 3000 })
    const all = strangers(3000)
    const rounds = async () => {
      for (let at = 0; at < all.length; at += 300) {
        for (const one of cluster.nodes) one.members = all.slice(at, at + 300).join("\n")
        await own.slots!()
      }
    }
    expect(await failureOf(rounds())).toMatchObject({ code: "CLUSTER.TOO_MANY_NODES" })
  })
})

describe("a call that is refused until its deadline", () => {
  /** At several moments; one that this machine held up for long may end otherwise. */
  async function endsOf(send: () => Promise<unknown>): Promise<KeywrightError[]> {
    const calls: Promise<KeywrightError>[] = []
    for (let i = 0; i < 10; i++) {
      calls.push(failureOf(send()))
      await sleep(30)
    }
    return Promise.all(calls)
  }

  for (const refusal of ["READONLY", "ASK"])
    test(`with ${refusal}, by a server that takes its time, says so: nothing was carried out`, async () => {
      cluster.nodes.forEach((node, i) => {
        node.slowMs = 200
        node.answer = ([, key]) =>
          refusal === "ASK"
            ? cluster.to(1 - (i % 2), clusterSlot(key!), "ASK")
            : "-READONLY You can't write against a read only replica.\r\n"
      })
      await open({ timeoutMs: 1500 })
      const code = refusal === "ASK" ? "CLUSTER.REDIRECTS" : "SERVER.READONLY"
      // At other moments, too: this machine may have held up the server just then.
      let certain = 0
      for (let round = 0; round < 4 && certain < 7; round++) {
        const errors = await endsOf(() => driver!.send(["INCR", "a"]))
        certain = errors.filter((error) => error.code === code && !(error instanceof OutcomeUnknown)).length
      }
      expect(certain).toBeGreaterThan(6)
    })
})

describe("a server that is of no use after a good greeting", () => {
  for (const [what, answer] of Object.entries<HostileAnswer>({
    "breaks the protocol": () => "?\r\n",
    "closes the connection": (_, socket) => void socket.destroy(),
    "closes it in the middle of an answer": (_, socket) => void socket.end("$10\r\nab"),
  }))
    test(`and ${what} is dialled again as rarely as one that refuses connections`, async () => {
      const server = await startHostile(answer)
      const own = openServer(server.url, { timeoutMs: 2000 })
      const error = await failureOf(own.send(["GET", "a"], { safe: true }))
      expect(error.code).toMatch(/^DRIVER\./)
      // 20, 40, 80 … 500 ms apart, each at least by half: at 35 a second and more it would be 70.
      expect(server.opened()).toBeLessThan(25)
      await own.close()
      await server.close()
    })
})
