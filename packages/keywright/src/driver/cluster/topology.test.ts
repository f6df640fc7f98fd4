/* When a cluster is asked again, and who is believed. The clock is moved by hand: half a minute is too long to wait for. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { Node } from "./node.ts"
import type { SlotView } from "./slot-view.ts"
import { Topology } from "./topology.ts"

const seed = { host: "127.0.0.1", port: 7000 }
const owner = (port: number): SlotView => [
  { from: 0, to: 16_383, primary: { id: `n${port}`, endpoint: { host: "127.0.0.1", port } }, replicas: [] },
]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test("every half a minute, although nothing has happened: an owner that has changed unseen is found", async () => {
  let view = owner(7000)
  const topology = new Topology([seed], {
    linked: () => [],
    ask: () => Promise.resolve(view),
    dial: () => Promise.resolve(view),
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect(topology.ownerOf(1)?.endpoint.port).toBe(7000)
  const asked = topology.questions

  view = owner(7001)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(topology.questions).toBe(asked)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(topology.questions).toBe(asked + 1)
  expect(topology.ownerOf(1)?.endpoint.port).toBe(7001)

  topology.close()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(topology.questions).toBe(asked + 1)
})

const PORTS = [7000, 7001, 7002]
const nodeOf = (port: number, at = port) => ({ id: `n${port}`, endpoint: { host: "127.0.0.1", port: at } })
/** The slots shared by all; `at` says where the nodes are. */
const shared = (at: (port: number) => number = (port) => port): SlotView =>
  PORTS.map((port, i) => ({
    from: i * 5000,
    to: i === 2 ? 16_383 : i * 5000 + 4999,
    primary: nodeOf(port, at(port)),
    replicas: [],
  }))

/** Three primaries, of which the last says from some moment on that all slots are its own; the others answer late. */
function threeOfWhichOneLies(lateMs: number, linked: (nodes: readonly Node[]) => readonly Node[]) {
  const honest = shared()
  const state = { isLying: false, lie: owner(7002), lateMs, timeoutMs: Infinity }
  const viewOf = (port: number): Promise<SlotView> => {
    if (port >= 7002) return Promise.resolve(state.isLying ? state.lie : honest)
    const { lateMs: late, timeoutMs } = state
    return new Promise((resolve, reject) =>
      late < timeoutMs
        ? setTimeout(() => resolve(honest), late)
        : setTimeout(() => reject(new Error("no answer in time")), timeoutMs),
    )
  }
  const topology: Topology = new Topology(
    PORTS.map((port) => ({ host: "127.0.0.1", port })),
    {
      linked: () => linked(topology.primaries),
      ask: ({ endpoint }) => viewOf(endpoint.port),
      dial: ({ port }) => viewOf(port),
    },
  )
  const owners = () => [0, 5000, 10_000].map((slot) => topology.ownerOf(slot)?.endpoint.port)
  return { topology, state, owners }
}

const all = (nodes: readonly Node[]) => nodes
const onlyTheLast = (nodes: readonly Node[]) => nodes.filter(({ id }) => id === "n7002")

test.each([
  ["late, and all are in use", 70, all, Infinity],
  ["late, and it alone is in use", 300, onlyTheLast, Infinity],
  ["too late, and all are in use", 5000, all, Infinity],
  ["too late, and it alone is in use", 5000, onlyTheLast, Infinity],
  ["given up, and all are in use", 5000, all, 350],
  ["given up, and it alone is in use", 5000, onlyTheLast, 350],
])(
  "one that says all slots are its own is not believed when the others are %s",
  async (_, lateMs, linked, timeoutMs) => {
    const { topology, state, owners } = threeOfWhichOneLies(0, linked)
    await vi.advanceTimersByTimeAsync(1000)
    expect(owners()).toEqual(PORTS)
    Object.assign(state, { isLying: true, lateMs, timeoutMs })
    for (let i = 0; i < 20; i++) {
      topology.moved(12_000, { host: "127.0.0.1", port: 7002 })
      await vi.advanceTimersByTimeAsync(5000)
      expect(owners()).toEqual(PORTS)
    }
    topology.close()
  },
)

describe("one that says all nodes are at its own address", () => {
  const lie = shared(() => 7002)

  test("and answers first is not believed", async () => {
    const { topology, state, owners } = threeOfWhichOneLies(30, all)
    Object.assign(state, { isLying: true, lie })
    await vi.advanceTimersByTimeAsync(1000)
    expect(owners()).toEqual(PORTS)
    topology.close()
  })

  test("and answers alone at first is not believed when the given addresses have answered: nobody stays with it", async () => {
    const { topology, state, owners } = threeOfWhichOneLies(2000, onlyTheLast)
    Object.assign(state, { isLying: true, lie })
    await vi.advanceTimersByTimeAsync(1000)
    const deceived = topology.primaries
    expect(owners()).toEqual([7002, 7002, 7002])
    state.lateMs = 100
    await vi.advanceTimersByTimeAsync(60_000)
    expect(owners()).toEqual(PORTS)
    expect(deceived.map(({ id, hasLeft }) => [id, hasLeft])).toEqual([
      ["n7000", true],
      ["n7001", true],
      ["n7002", false],
    ])
    topology.close()
  })

  test.each([
    ["late", 300],
    ["too late", 5000],
  ])("is not believed when the others are %s", async (_, lateMs) => {
    const { topology, state, owners } = threeOfWhichOneLies(0, all)
    await vi.advanceTimersByTimeAsync(1000)
    Object.assign(state, { isLying: true, lie, lateMs, timeoutMs: 1000 })
    for (let i = 0; i < 20; i++) {
      topology.want(0)
      await vi.advanceTimersByTimeAsync(5000)
      expect(owners()).toEqual(PORTS)
    }
    topology.close()
  })

  test("is not believed because it names very many nodes there, to which it redirects", async () => {
    const { topology, state, owners } = threeOfWhichOneLies(0, () => [...topology.primaries, ...strangers])
    const strangers: Node[] = []
    await vi.advanceTimersByTimeAsync(1000)
    Object.assign(state, { isLying: true, lateMs: 5000, timeoutMs: 1000 })
    for (let port = 7010; port < 7020; port++) strangers.push(topology.at({ host: "127.0.0.1", port })!)
    topology.want(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(owners()).toEqual(PORTS)
    topology.close()
  })
})

const invented: SlotView = shared().map((range, i) => ({ ...range, primary: { ...nodeOf(7005 + i), id: `x${i}` } }))

test.each([
  ["says all slots are its own", owner(7002)],
  ["says all nodes are at its own address", shared(() => 7002)],
  ["names nodes that do not exist", invented],
])("one that answers first and %s is not believed at the start, where the last answer is late", async (_, lie) => {
  const late: Record<number, number> = { 7000: 150, 7001: 40 }
  const viewOf = async ({ port }: { port: number }): Promise<SlotView> => {
    if (port >= 7002) return lie
    await new Promise((resolve) => setTimeout(resolve, late[port]))
    return shared()
  }
  const seeds = PORTS.map((port) => ({ host: "127.0.0.1", port }))
  const topology = new Topology(seeds, { linked: () => [], ask: ({ endpoint }) => viewOf(endpoint), dial: viewOf })
  await vi.advanceTimersByTimeAsync(1000)
  expect([0, 5000, 10_000].map((slot) => topology.ownerOf(slot)?.endpoint.port)).toEqual(PORTS)
  topology.close()
})

test("every address that was given is tried, however many refuse", async () => {
  const seeds = Array.from({ length: 12 }, (_, i) => ({ host: "127.0.0.1", port: 7000 + i }))
  const viewOf = ({ port }: { port: number }) =>
    port === 7011 ? Promise.resolve(owner(7011)) : Promise.reject(new Error("refused"))
  const topology = new Topology(seeds, { linked: () => [], ask: ({ endpoint }) => viewOf(endpoint), dial: viewOf })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(topology.ownerOf(0)?.endpoint.port).toBe(7011)
  topology.close()
})

test("one that was believed because it answered first is not believed when the given addresses have answered", async () => {
  const { topology, state, owners } = threeOfWhichOneLies(2000, onlyTheLast)
  state.isLying = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(owners()).toEqual([7002, 7002, 7002])
  state.lateMs = 100
  await vi.advanceTimersByTimeAsync(60_000)
  expect(owners()).toEqual(PORTS)
  topology.close()
})

test.each([
  ["cannot be reached", false, 1000],
  ["has been silent for some seconds", true, 10_000],
])("a minority is believed about the slots of a node that %s", async (_, isSilent, ms) => {
  const { topology, state, owners } = threeOfWhichOneLies(0, all)
  await vi.advanceTimersByTimeAsync(1000)
  state.isLying = true
  state.lateMs = 60_000
  topology.away(topology.ownerOf(0)!, isSilent)
  await vi.advanceTimersByTimeAsync(ms)
  expect(owners()).toEqual([7002, 7001, 7002])
  topology.close()
})

test.each([
  ["one of the others is silent", [0]],
  ["all others are silent", [0, 5000]],
])("a node that lies is not believed because %s for a moment", async (_, slots) => {
  const { topology, state, owners } = threeOfWhichOneLies(0, (nodes) => nodes.filter((node) => !silent.includes(node)))
  const silent: Node[] = []
  await vi.advanceTimersByTimeAsync(1000)
  Object.assign(state, { isLying: true, timeoutMs: 1000 })
  silent.push(...slots.map((slot) => topology.ownerOf(slot)!))
  for (const node of silent) topology.away(node, true)
  await vi.advanceTimersByTimeAsync(4000)
  expect(owners()).toEqual(PORTS)
  for (const node of silent.splice(0)) topology.back(node)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(owners()).toEqual(PORTS)
  topology.close()
})

describe("a node that has another address now", () => {
  /** Each says what it is set to say; undefined: it does not answer. */
  function cluster(views: Record<number, SlotView | undefined>, seeds = PORTS) {
    const viewOf = (port: number): Promise<SlotView> => {
      const view = views[port]
      return view === undefined ? Promise.reject(new Error("refused")) : Promise.resolve(view)
    }
    const topology: Topology = new Topology(
      seeds.map((port) => ({ host: "127.0.0.1", port })),
      {
        linked: () => topology.primaries.filter(({ awaySince }) => awaySince === undefined),
        ask: ({ endpoint }) => viewOf(endpoint.port),
        dial: ({ port }) => viewOf(port),
      },
    )
    return topology
  }
  const moved = shared((port) => (port === 7000 ? 7100 : port))

  test("is found there when the others say so, and nobody stays at the old one", async () => {
    const views: Record<number, SlotView | undefined> = { 7000: shared(), 7001: shared(), 7002: shared() }
    const topology = cluster(views)
    await vi.advanceTimersByTimeAsync(1000)
    const before = topology.ownerOf(0)!
    Object.assign(views, { 7000: undefined, 7001: moved, 7002: moved, 7100: moved })
    topology.away(before)
    await vi.advanceTimersByTimeAsync(1000)
    expect([topology.ownerOf(0)?.id, topology.ownerOf(0)?.label, before.hasLeft]).toEqual([
      "n7000",
      "127.0.0.1:7100",
      true,
    ])
    topology.close()
  })

  test("is found there although the old one answers", async () => {
    const views: Record<number, SlotView | undefined> = { 7000: shared(), 7001: shared(), 7002: shared() }
    const topology = cluster(views)
    await vi.advanceTimersByTimeAsync(1000)
    Object.assign(views, { 7001: moved, 7002: moved, 7100: moved })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(topology.ownerOf(0)?.label).toBe("127.0.0.1:7100")
    topology.close()
  })

  test("is found there by the word of the only other one", async () => {
    const two = (at: number): SlotView => [
      { from: 0, to: 8191, primary: nodeOf(7000, at), replicas: [] },
      { from: 8192, to: 16_383, primary: nodeOf(7001), replicas: [] },
    ]
    const views: Record<number, SlotView | undefined> = { 7000: two(7000), 7001: two(7000) }
    const topology = cluster(views, [7000])
    await vi.advanceTimersByTimeAsync(1000)
    Object.assign(views, { 7000: undefined, 7001: two(7100), 7100: two(7100) })
    topology.away(topology.ownerOf(0)!)
    await vi.advanceTimersByTimeAsync(1000)
    expect(topology.ownerOf(0)?.label).toBe("127.0.0.1:7100")
    topology.close()
  })

  test("and is the only one is found by the addresses that were given", async () => {
    const views: Record<number, SlotView | undefined> = { 7000: owner(7000) }
    const topology = cluster(views, [7000, 7100])
    await vi.advanceTimersByTimeAsync(1000)
    Object.assign(views, { 7000: undefined, 7100: [{ ...owner(7000)[0]!, primary: nodeOf(7000, 7100) }] })
    topology.away(topology.ownerOf(0)!)
    await vi.advanceTimersByTimeAsync(5000)
    expect(topology.ownerOf(0)?.label).toBe("127.0.0.1:7100")
    topology.close()
  })
})

test("where all nodes say that they are at the host that was asked, each is reached by one of them", async () => {
  const at = (host: string): SlotView =>
    shared().map((range) => ({
      ...range,
      primary: { ...range.primary, endpoint: { ...range.primary.endpoint!, host } },
    }))
  const hosts = ["a", "b", "c"]
  let dead: string | undefined
  const viewOf = ({ host }: { host: string }) =>
    host === dead ? Promise.reject(new Error("refused")) : Promise.resolve(at(host))
  const topology: Topology = new Topology(
    hosts.map((host) => ({ host, port: 7000 })),
    {
      linked: () => topology.primaries.filter(({ endpoint }) => endpoint.host !== dead),
      ask: ({ endpoint }) => viewOf(endpoint),
      dial: viewOf,
    },
  )
  await vi.advanceTimersByTimeAsync(1000)
  const before = topology.primaries
  expect(new Set(before.map(({ endpoint }) => endpoint.host)).size).toBe(1)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(topology.primaries).toEqual(before)

  dead = before[0]!.endpoint.host
  for (const node of before) topology.away(node)
  await vi.advanceTimersByTimeAsync(5000)
  const after = topology.primaries.map(({ endpoint }) => endpoint)
  expect(after.map(({ port }) => port)).toEqual(PORTS)
  expect(after.map(({ host }) => host)).not.toContain(dead)
  topology.close()
})
