import { expect, test } from "vitest"
import { readChanged } from "../../errors/transaction.ts"
import { DirectLane } from "../call/lane.ts"
import { onBothServers } from "../servers.cases.ts"
import { carryOutInCluster } from "./in-cluster.ts"
import { Plan } from "./plan.ts"

onBothServers("a unique value that somebody seemed to have left behind", (server) => {
  const changed = readChanged("cart:1", "cart:1")
  const taken = readChanged("email:ada", "email:ada")

  test.each([
    ["is taken when its record is there again", {}, taken],
    ["is not looked at when something that was read has changed, too", { read: "changed" }, changed],
  ] as const)("%s", async (_, { read = "as it was" }: { read?: string }, error) => {
    const { driver } = server()
    await driver.batch([["SET", "email:ada", "1"], ["HSET", "cart:1", "line", "as it was"]]) // prettier-ignore
    let sent = 0
    const lane = new (class extends DirectLane {
      override async script(...call: Parameters<DirectLane["script"]>) {
        // Between the two scripts: the first finds the holder, the second names its record.
        if (++sent === 2) await driver.batch([["SET", "user:1", "{}"], ["HSET", "cart:1", "line", read]]) // prettier-ignore
        return super.script(...call)
      }
    })(driver)
    const plan = new Plan()
    plan.checks.push({ check: "hash", key: "cart:1", pairs: ["line", "as it was"], onFailure: () => changed })
    plan.checks.push({
      ...{ check: "unique-free", key: "email:ada", id: "2", record: { head: "user:", tail: "" } },
      ...{ isQuoted: false, onFailure: () => taken },
    })
    plan.write("SET", "user:2", "{}")
    await expect(carryOutInCluster(plan, lane)).rejects.toBe(error)
    expect([sent, await driver.send(["EXISTS", "user:2"])]).toEqual([2, 0])
  })
})
