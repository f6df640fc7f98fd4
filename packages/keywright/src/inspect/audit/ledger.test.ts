import { expect, it } from "vitest"
import type { Finding } from "./finding.ts"
import { Ledger } from "./ledger.ts"

const finding = (code: string, key: string): Finding => ({ code, key }) as Finding
const keysOf = ({ findings }: Ledger) => findings.map(({ key }) => key)

it("keeps each place once, and the one that knows more", () => {
  const ledger = new Ledger(10, undefined)
  ledger.add(finding("A", "first"), "place")
  ledger.add(finding("A", "again"), "place")
  expect([keysOf(ledger), ledger.summary]).toEqual([["first"], { A: 1 }])
  ledger.add(finding("A", "better"), "place", true)
  expect([keysOf(ledger), ledger.summary]).toEqual([["better"], { A: 1 }])
})

it("counts all, and keeps as many as are wanted", () => {
  const told: string[] = []
  const ledger = new Ledger(
    2,
    ({ key }) => told.push(key),
    ({ code }) => code === "A",
  )
  for (const [code, key] of [
    ["B", "1"],
    ["A", "2"],
    ["A", "3"],
    ["A", "4"],
  ] as const)
    ledger.add(finding(code, key), key)
  expect([keysOf(ledger), told, ledger.summary]).toEqual([["2", "3"], ["1", "2", "3", "4"], { A: 3, B: 1 }])
})
