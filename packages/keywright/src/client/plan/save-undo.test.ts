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
          isEntered ? plan.enter(keys[i]!, "7", owner) : plan.leave(keys[i]!, "7", owner),
        )
        await expect(carryOut(plan, lane)).rejects.toBe(refused)
        // The header of save.lua says why these may be without the id.
        const isOpen = (i: number) => sets[i]!.isEntered && sets[i]!.holds && i !== wrong
        for (const i of keys.keys()) if (isOpen(i)) await driver.send(["SADD", keys[i]!, "7"])
        expect(await contents(["dish:7", ...keys])).toEqual(before)
      }),
      { numRuns: 60 },
    )
  })
})

const move = fc.record({ member: fc.nat(5), set: fc.nat(4), isEntered: fc.boolean() })

onBothServers("members of many sets", (server) => {
  const refused = readChanged("of another type", "set")
  const owner = { wrongType: () => refused }
  const keys = [0, 1, 2, 3, 4].map((n) => `set:${n}`)

  test("move as if one by one, in their order, or not at all", async () => {
    const { driver } = server()
    const lane = new DirectLane(driver)
    const contents = () => driver.batch(keys.map((key) => ["SMEMBERS", key]))
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 40 }), fc.boolean(), async (moves, isBroken) => {
        const before = ["FLUSHALL", ...keys].map((key) => (key === "FLUSHALL" ? [key] : ["SADD", key, "0", "1", "2"]))
        await driver.batch(before)
        const plan = new Plan()
        for (const { member, set: n, isEntered } of moves)
          if (isEntered) plan.enter(keys[n]!, String(member), owner)
          else plan.leave(keys[n]!, String(member), owner)
        if (isBroken) {
          await driver.send(["SET", keys[moves[0]!.set]!, "not a set"])
          const dumped = async () => driver.batch(keys.map((key) => ["DUMP", key]))
          const was = await dumped()
          await expect(carryOut(plan, lane)).rejects.toBe(refused)
          expect(await dumped()).toEqual(was)
          return
        }
        await carryOut(plan, lane)
        const expected = keys.map(() => new Set(["0", "1", "2"]))
        for (const write of plan.writes)
          if (write.write === "move") {
            for (const key of write.enters) expected[keys.indexOf(key)]!.add(write.member)
            for (const key of write.leaves) expected[keys.indexOf(key)]!.delete(write.member)
          }
        expect((await contents()).map((found) => new Set(found as string[]))).toEqual(expected)
      }),
      { numRuns: 100 },
    )
  })

  test("new ids of one plan pass by those that records have already", async () => {
    const { driver } = server()
    const taken = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(taken, fc.integer({ min: 1, max: 6 }), async (numbers, many) => {
        await driver.batch([["FLUSHALL"], ...numbers.map((n) => ["SET", `dish:${n}`, "taken"])])
        const plan = new Plan()
        for (let i = 0; i < many; i++) {
          const id = plan.allocate("dish:counter", { head: "dish:", tail: "" })
          plan.write("SET", `dish:${id}`, id)
        }
        await carryOut(plan, new DirectLane(driver))
        const free = Array.from({ length: 30 }, (_, i) => i + 1)
          .filter((n) => !numbers.includes(n))
          .slice(0, many)
        const values = await driver.batch(free.map((n) => ["GET", `dish:${n}`]))
        expect(values).toEqual(free.map(String))
        expect(await driver.send(["GET", "dish:counter"])).toBe(String(free.at(-1)))
        for (const n of numbers) expect(await driver.send(["GET", `dish:${n}`])).toBe("taken")
      }),
      { numRuns: 60 },
    )
  })
})
