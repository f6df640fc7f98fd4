import { expect, it } from "vitest"
import { nodeLeft } from "../errors/cluster.ts"
import { refusedAgain } from "../errors/driver.ts"
import type { Driver } from "./driver.ts"
import { processOf } from "./process-of.ts"

const left = nodeLeft("INFO", "127.0.0.1:7001")

/** A cluster of one primary, which is replaced each time it is asked, until the last. */
function replaced(failures: readonly Error[]): Driver {
  const left = [...failures]
  const node = { batch: () => (left.length > 0 ? Promise.reject(left.shift()!) : Promise.resolve(["run_id:abc"])) }
  return { primaries: () => Promise.resolve([node]) } as unknown as Driver
}

it.each([
  ["before it is asked", left],
  ["when it was asked", refusedAgain("INFO", "127.0.0.1:7001", left)],
])("a primary that is replaced %s: its successor is asked", async (_, failure) => {
  expect(await processOf(replaced([failure, failure]))).toBe(await processOf(replaced([])))
})

it("a failure of another kind, or without an end, is told", async () => {
  await expect(processOf(replaced([new Error("broken")]))).rejects.toThrow("broken")
  await expect(processOf(replaced(Array.from({ length: 100 }, () => left)))).rejects.toBe(left)
})
