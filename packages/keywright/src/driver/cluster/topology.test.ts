/* When a cluster is asked again. The clock is moved by hand: half a minute is too long to wait for. */

import { afterEach, beforeEach, expect, test, vi } from "vitest"
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
