import fc from "fast-check"
import { expect, test } from "vitest"
import { readChanged } from "../../errors/transaction.ts"
import { DirectLane } from "../call/lane.ts"
import { onBothServers } from "../servers.cases.ts"
import { carryOut } from "./carry-out.ts"
import { Plan } from "./plan.ts"

const set = fc.record({ holds: fc.boolean(), isEntered: fc.boolean() })

onBothServers("a save that meets a key of another type", (server) => {
  test("undoes what it did to any sets before", async () => {
    const { driver } = server()
    const lane = new DirectLane(driver)
    const contents = async (keys: readonly string[]) => driver.batch(keys.map((key) => ["DUMP", key]))
    const refused = readChanged("of another type", "set")
    const owner = { wrongType: () => refused }
    await fc.assert(
      fc.asyncProperty(fc.array(set, { minLength: 1, maxLength: 50 }), fc.nat(), async (sets, at) => {
        const wrong = at % sets.length
        const keys = sets.map((_, i) => `set:${i}`)
        await driver.batch([
          ["FLUSHALL"],
          ["SET", "dish:7", "old"],
          ...keys.flatMap((key, i) => (i !== wrong && sets[i]!.holds ? [["SADD", key, "7", "8"]] : [])),
          ["SET", keys[wrong]!, "not a set"],
        ])
        const before = await contents(["dish:7", ...keys])
        const plan = new Plan()
        plan.checks.push({
          check: "string",
          key: "dish:7",
          value: "old",
          onFailure: () => readChanged("dish:7", "dish:7"),
        })
        plan.write("SET", "dish:7", "new")
        sets.forEach(({ isEntered }, i) =>
          isEntered ? plan.add(keys[i]!, "7", owner) : plan.remove(keys[i]!, "7", owner),
        )
        await expect(carryOut(plan, lane)).rejects.toBe(refused)
        expect(await contents(["dish:7", ...keys])).toEqual(before)
      }),
      { numRuns: 60 },
    )
  })
})
