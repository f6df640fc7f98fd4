import { describe, expect, it } from "vitest"
import { keyFormat } from "./key-format.ts"
import { toolkitKeys } from "./toolkit-keys.ts"

const digest = "0a4d55a8d778e5022fab701977c5d840bbc486d0"

/** The names of the patterns that a key has the form of; the more literal one owns it. */
const owners = (key: string) => {
  const found = toolkitKeys().filter(({ pattern, params }) => keyFormat(pattern, params).parse(key))
  return found.filter(({ rivals }) => !found.some(({ name }) => rivals.includes(name))).map(({ name }) => name)
}

describe("the toolkit's own keys", () => {
  it("all begin with keywright:, are documented, and have a TTL that somebody decided", () => {
    for (const { pattern, doc, ttl } of toolkitKeys()) {
      expect(pattern).toMatch(/^keywright:/)
      expect(doc).toBeTruthy()
      expect(ttl).toBeDefined()
    }
  })

  it.each([
    ["keywright:op:0190f3c2-9f0e-7c3b-9d51-6a0f8a1d2c3e", "keywright.operation"],
    ["keywright:op:order:17/pay", "keywright.operation"],
    ["keywright:op:{u1}:0190f3c2", "keywright.operationInCluster"],
    ["keywright:op:{cart:{u1}:0190f3c2", "keywright.operationInCluster"],
    [`keywright:fill:${digest}`, "keywright.fill"],
    [`keywright:fill:{P:4:Ch:5}:${digest}`, "keywright.fillInCluster"],
    [`keywright:hold:${digest}`, "keywright.hold"],
    ["keywright:lease:shop.rescale", "keywright.lease"],
    ["keywright:expiry:cart:*", "keywright.expiry"],
    [`keywright:import:list:{-}:${digest}`, "keywright.import.list"],
    [`keywright:import:hash:{cart:u1}:${digest}`, "keywright.import.hash"],
  ])("%s has one owner", (key, name) => {
    expect(owners(key)).toEqual([name])
  })

  it("stand in the logical database that is asked for", () => {
    expect(new Set(toolkitKeys(3).map(({ db }) => db))).toEqual(new Set([3]))
  })
})
