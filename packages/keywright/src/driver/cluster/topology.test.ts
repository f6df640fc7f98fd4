/* When a cluster is asked again, and who is believed. The clock is moved by hand: half a minute is too long to wait for. */

import { afterEach, beforeEach, expect, test, vi } from "vitest"
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

/** Three primaries, of which the last says from some moment on that all slots are its own; the others answer late. */
function threeOfWhichOneLies(lateMs: number, linked: (nodes: readonly Node[]) => readonly Node[]) {
  const ports = [7000, 7001, 7002]
  const honest: SlotView = ports.map((port, i) => ({
    ...owner(port)[0]!,
    from: i * 5000,
    to: i === 2 ? 16_383 : i * 5000 + 4999,
  }))
  const state = { isLying: false, lateMs }
  const viewOf = (port: number): Promise<SlotView> => {
    if (port === 7002) return Promise.resolve(state.isLying ? owner(7002) : honest)
    return new Promise((resolve) => setTimeout(() => resolve(honest), state.lateMs))
  }
  const topology: Topology = new Topology(
    ports.map((port) => ({ host: "127.0.0.1", port })),
    {
      linked: () =>
        linked(
          [topology.ownerOf(0), topology.ownerOf(5000), topology.ownerOf(10_000)].filter((node) => node !== undefined),
        ),
      ask: ({ endpoint }) => viewOf(endpoint.port),
      dial: ({ port }) => viewOf(port),
    },
  )
  const owners = () => [0, 5000, 10_000].map((slot) => topology.ownerOf(slot)?.endpoint.port)
  return { topology, state, owners }
}

const all = (nodes: readonly Node[]) => nodes
const onlyTheLast = (nodes: readonly Node[]) => nodes.filter(({ endpoint }) => endpoint.port === 7002)

test.each([
  ["late, and all are in use", 70, all],
  ["late, and it alone is in use", 300, onlyTheLast],
  ["too late, and all are in use", 5000, all],
  ["too late, and it alone is in use", 5000, onlyTheLast],
])("one that says all slots are its own is not believed when the others are %s", async (_, lateMs, linked) => {
  const { topology, state, owners } = threeOfWhichOneLies(0, linked)
  await vi.advanceTimersByTimeAsync(1000)
  expect(owners()).toEqual([7000, 7001, 7002])
  state.isLying = true
  state.lateMs = lateMs
  for (let i = 0; i < 20; i++) {
    topology.moved(12_000, { host: "127.0.0.1", port: 7002 })
    await vi.advanceTimersByTimeAsync(5000)
    expect(owners()).toEqual([7000, 7001, 7002])
  }
  topology.close()
})

test("one that was believed because it answered first is not believed when the given addresses have answered", async () => {
  const { topology, state, owners } = threeOfWhichOneLies(2000, onlyTheLast)
  state.isLying = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(owners()).toEqual([7002, 7002, 7002])
  state.lateMs = 100
  await vi.advanceTimersByTimeAsync(60_000)
  expect(owners()).toEqual([7000, 7001, 7002])
  topology.close()
})

test("a minority is believed about the slots of a node that cannot be reached", async () => {
  const { topology, state, owners } = threeOfWhichOneLies(0, all)
  await vi.advanceTimersByTimeAsync(1000)
  state.isLying = true
  state.lateMs = 60_000
  topology.away(topology.ownerOf(0)!)
  await vi.advanceTimersByTimeAsync(5000)
  expect(owners()).toEqual([7002, 7001, 7002])
  topology.close()
})
