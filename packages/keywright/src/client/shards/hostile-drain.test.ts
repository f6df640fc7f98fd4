/* Drains over keys that somebody else has written to: an error that says so, and no amount lost or added twice. */

import { expect, it } from "vitest"
import { onBothServers } from "../servers.cases.ts"
import { drainers, schemaOf } from "./drain.cases.ts"

const schema = schemaOf(0)
const nameOf = (entry: string): string => schema.keys.find(({ name }) => name === entry)!.pattern

onBothServers("a drain", (server) => {
  const send = (...words: string[]) => server().driver.send(words)
  const sums = () => drainers(schema, server().driver).sums
  const total = () => drainers(schema, server().driver).total

  it.each(["-0", "007", "+5", "5.0", "1e1", ".5"])(
    "adds the amount %s of a field once, and the one before it",
    async (odd) => {
      await send("HSET", nameOf("session.sums"), "a", "5", "b", odd)
      await sums().run()
      await sums().run()
      const [a, b] = (await send("HMGET", "sum:", "a", "b")) as string[]
      expect([a, Number(b)]).toEqual(["5", Number(odd) + 0])
    },
  )

  it.each(["-0", "007"])("adds to %s in the target once, and to the one before it", async (odd) => {
    await send("HSET", "sum:", "b", odd)
    await send("HSET", nameOf("session.sums"), "a", "5", "b", "1")
    await sums().run()
    await sums().run()
    const [a, b] = (await send("HMGET", "sum:", "a", "b")) as string[]
    expect([a, Number(b)]).toEqual(["5", Number(odd) + 1])
  })

  it.each(["1e-5000", "1e5000", "inf", "nan", "0x1", "", " 1", "1 ", "1,5", "9".repeat(400), "5\0q", "5\0", "0\0"])(
    "leaves a batch with %j where it is, and says so to those who read",
    async (odd) => {
      await send("HSET", nameOf("session.sums"), "a", "5", "b", odd)
      const mine = sums()
      for (const _ of [1, 2]) await expect(mine.run()).rejects.toMatchObject({ code: "DRAIN.AMOUNT" })
      expect(await send("EXISTS", "sum:")).toBe(0)
      expect(await send("HGET", nameOf("session.sums#out"), "a")).toBe("5")
    },
  )

  it("adds nothing again and again where what is in the target is not a number as a whole", async () => {
    await send("HSET", "sum:", "b", "5\0q")
    await send("HSET", nameOf("session.sums"), "a", "5", "b", "1")
    const mine = sums()
    for (const _ of [1, 2]) await expect(mine.run()).rejects.toMatchObject({ code: "DRAIN.AMOUNT" })
    expect(await send("HGETALL", "sum:")).toEqual(["b", "5\0q"])
  })

  it("does not read as a number what is not one", async () => {
    await send("SET", "all:", "abc")
    await expect(total().get()).rejects.toMatchObject({ code: "DRAIN.AMOUNT" })
    await send("HSET", nameOf("session.sums"), "a", "abc")
    await expect(sums().all()).rejects.toMatchObject({ code: "DRAIN.AMOUNT" })
  })

  it.each(["abc", "-1", "1.5", "inf", "nan", "1e300", "9007199254740993", ""])(
    "loses no batch when the number %j is in the target or in the note",
    async (number) => {
      const drained = "keywright:drained:{all:}:total"
      const mine = total()
      await send("SET", nameOf("session.total"), "7")
      await send("HSET", drained, "-", number)
      await expect(mine.run()).rejects.toMatchObject({ code: "DRAIN.NUMBER" })
      await expect(mine.get()).rejects.toMatchObject({ code: "DRAIN.NUMBER" })
      await send("DEL", drained)
      await send("HSET", nameOf("session.total#note"), "number", number)
      await expect(mine.run()).rejects.toMatchObject({ code: "DRAIN.NUMBER" })
      await send("DEL", nameOf("session.total#note"))
      await mine.run()
      expect([await send("GET", "all:"), await send("HGET", drained, "-")]).toEqual(["7", "1"])
    },
  )

  it("takes up a batch whose note says that it is somebody else's for ever", async () => {
    for (const until of ["1e300", "inf", "9".repeat(30)]) {
      await send("SET", nameOf("session.total#out"), "1")
      await send("HSET", nameOf("session.total#note"), "by", "nobody", "until", until)
      expect(await total().run()).toMatchObject({ busy: 0 })
    }
  })
})
