import { expect, it } from "vitest"
import type { SentinelView } from "../../driver/driver.ts"
import { checkSentinels } from "./sentinel.ts"

const says = (address: string, primary: string | undefined, quorum = 2): SentinelView => ({ address, primary, quorum })
const away = (address: string): SentinelView => ({ address, primary: undefined, quorum: 0, failure: "refused" })
const found = (...views: SentinelView[]) => checkSentinels(views).map(({ code, severity }) => `${severity} ${code}`)

it("is nothing with three sentinels that agree", () => {
  expect(found(says("a", "p"), says("b", "p"), says("c", "p"))).toEqual([])
})

it.each([
  [[says("a", "p"), says("b", "p"), away("c")], ["warning DOCTOR.SENTINEL_AWAY"]],
  [[says("a", "p"), away("b"), away("c")], ["error DOCTOR.NO_FAILOVER"]],
  [[says("a", "p", 3), says("b", "p", 3), away("c")], ["error DOCTOR.NO_FAILOVER"]],
  [[says("a", "p"), says("b", "p")], ["warning DOCTOR.FEW_SENTINELS"]],
  [[says("a", "p", 1)], ["warning DOCTOR.FEW_SENTINELS"]],
  [[says("a", "p"), says("b", "p"), says("c", "old")], ["warning DOCTOR.SENTINELS_DISAGREE"]],
])("%j: %j", (views, expected) => {
  expect(found(...views)).toEqual(expected)
})

it("names those that do not answer", () => {
  const [finding] = checkSentinels([says("a:1", "p"), says("b:1", "p"), away("c:1")])
  expect(finding!.message).toContain("c:1")
})
