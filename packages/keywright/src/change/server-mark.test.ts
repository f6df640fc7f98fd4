import { expect, it } from "vitest"
import { isSameServer } from "./server-mark.ts"

const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(40))
const one = "redis://127.0.0.1:6379/0"

it.each<[string, string, string, boolean]>([
  ["an address and itself", one, one, true],
  ["an address by another name", "redis://localhost:6379/0 (own connection)", one, true],
  ["another port", "redis://127.0.0.1:6380/0", one, false],
  ["another database", "redis://127.0.0.1:6379/1", one, false],
  ["a cluster of which a node was replaced", `cluster:${a},${b}`, `cluster:${b},${c}`, true],
  ["another cluster", `cluster:${a}`, `cluster:${b},${c}`, false],
  ["a cluster and one server", `cluster:${a}`, one, false],
  ["one server and a cluster", one, `cluster:${a}`, false],
  ["two clusters of which nothing is known", "cluster:", "cluster:", false],
])("tells whether two marks are of one server: %s", (_, made, here, isSame) => {
  expect(isSameServer(made, here)).toBe(isSame)
})
