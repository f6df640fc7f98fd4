import { expect, it } from "vitest"
import { endpointIn, endpointOf, redirectIn, throughNat } from "./endpoint.ts"
import { readSlotView } from "./slot-view.ts"

const asked = { host: "127.0.0.1", port: 7000 }

it.each([
  ["10.0.0.1", "10.0.0.1"],
  ["node_1.redis-cluster.local", "node_1.redis-cluster.local"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1%eth0"],
  ["", "127.0.0.1"],
])("a node at %s is dialled", (said, host) => {
  expect(endpointOf(said, 6379, asked)).toEqual({ host, port: 6379 })
})

it.each([
  ["10.0.0.1:7001", "10.0.0.1", 7001],
  ["2001:db8::1:7001", "2001:db8::1", 7001],
  ["[2001:db8::1]:7001", "2001:db8::1", 7001],
  ["::1:7001", "::1", 7001],
  ["node.example:7001", "node.example", 7001],
  [":7001", "127.0.0.1", 7001],
])("a redirect to %s is split at its last colon", (said, host, port) => {
  expect(redirectIn(`MOVED 3999 ${said}`, asked)).toEqual({ slot: 3999, to: { host, port } })
})

it.each([
  ["a table", { "10.0.0.1:6379": "localhost:7001" }],
  ["a function", (announced: string) => (announced === "10.0.0.1:6379" ? "localhost:7001" : undefined)],
])("announced addresses are translated by %s, and others are left as they are", (_, nat) => {
  expect(throughNat({ host: "10.0.0.1", port: 6379 }, nat)).toEqual({ host: "localhost", port: 7001 })
  expect(throughNat({ host: "10.0.0.2", port: 6379 }, nat)).toEqual({ host: "10.0.0.2", port: 6379 })
})

it.each(["a b", "x\r\nlevel=error", "\u001b[2J", "\u202egro", "x".repeat(256), "h/../p", "user@host", "\0", "?", "[]"])(
  "what cannot be dialled is in no message: %j",
  (host) => {
    expect(endpointOf(host, 6379, asked)).toBeUndefined()
    expect(endpointIn(`${host}:6379`, asked)).toBeUndefined()
    expect(redirectIn(`MOVED 1 ${host}:6379`, asked)?.to).toBeUndefined()
    const [range] = readSlotView([[0, 16_383, ["10.0.0.1", 6379, "id", ["hostname", host]]]], asked)
    expect(range!.primary.endpoint).toEqual({ host: "10.0.0.1", port: 6379 })
  },
)
