/* Who is a client in haste, and who has a token that is not theirs. */

import type { Socket } from "node:net"
import { expect, it } from "vitest"
import { alone } from "../workers/team.ts"
import { UNKNOWN } from "./client-address.ts"
import { successions, type Arrival } from "./arrival.ts"

const open = { destroyed: false } as Socket
const other = { destroyed: false } as Socket
const closed = { destroyed: true } as Socket
const HERE = "192.0.2.1"
const by = (at: number, socket: Socket, isFirst: boolean, address = HERE): Arrival => ({ at, socket, isFirst, address })

it.each<[what: string, first: Socket, second: Arrival, isReplay: boolean]>([
  ["sent before the answer", open, by(99, other, false), false],
  ["a new connection beside the one that was answered", open, by(101, other, true), false],
  ["a new connection from another address", open, by(101, other, true, "192.0.2.2"), true],
  ["a new connection after the first was closed", closed, by(101, other, true), true],
  ["the same connection again", open, by(101, open, false), true],
  ["another connection that has been used before", open, by(101, other, false), true],
])("a token that comes twice: %s", async (_, first, second, isReplay) => {
  const order = successions(0, alone)
  await order.spent("chain", by(90, first, true))
  expect(order.isReplay("chain", 100, second)).toBe(isReplay)
})

it("is a replay where addresses are not known", async () => {
  const order = successions(0, alone)
  await order.spent("chain", by(90, open, true, UNKNOWN))
  expect(order.isReplay("chain", 100, by(101, other, true, UNKNOWN))).toBe(true)
})

it("is a replay where nobody was answered just now", () => {
  expect(successions(0, alone).isReplay("chain", 100, by(101, other, true))).toBe(true)
})

it("is not one while the answer is held back", () => {
  const order = successions(10, alone)
  expect(order.isReplay("chain", 100, by(10_100, other, false))).toBe(false)
  expect(order.isReplay("chain", 100, by(10_101, other, false))).toBe(true)
})
