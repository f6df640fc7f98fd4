/* What Redis makes of our numbers, and we of its: scores and counters are numbers
 * on the server, not texts, and come back in its own spelling. */

import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { unixMillis, unixSeconds } from "./date.ts"
import { bigint, float, int } from "./number.ts"
import { redisForSuite } from "../../driver/redis-for-suite.cases.ts"

describe.runIf(needs("redis-server"))("a real server", () => {
  const server = redisForSuite()

  const score = async (raw: string): Promise<string> => {
    await server.driver.send(["DEL", "scores"])
    await server.driver.send(["ZADD", "scores", raw, "m"])
    return (await server.driver.send(["ZSCORE", "scores", "m"])) as string
  }

  test.each([
    [0, "0"],
    [-0, "0"], // A small sorted set keeps whole scores as integers.
    [1e20, "1e+20"],
    [2 ** 53, "9007199254740992"],
    [0.1, "0.10000000000000001"],
    [Number.MAX_VALUE, "1.7976931348623157e+308"],
    [5e-324, "4.9406564584124654e-324"],
    [Infinity, "inf"],
    [-Infinity, "-inf"],
  ])("keeps the score %d, and prints it as %s", async (value, printed) => {
    const raw = await score(float.encode(value))
    expect(raw).toBe(printed)
    expect(float.decode(raw) === value).toBe(true)
  })

  test("keeps every score", async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ noNaN: true }), async (value) => {
        expect(float.decode(await score(float.encode(value))) === value, String(value)).toBe(true)
      }),
    )
  })

  test("keeps every instant as a score, to the millisecond", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
        async (value) => {
          expect(unixSeconds.decode(await score(unixSeconds.encode(value)))).toEqual(value)
          expect(unixMillis.decode(await score(unixMillis.encode(value)))).toEqual(value)
        },
      ),
    )
  })

  test("counts past 2^53 with bigint, where int refuses", async () => {
    await server.driver.send(["SET", "n", bigint.encode(2n ** 53n)])
    await server.driver.send(["INCR", "n"])
    const raw = (await server.driver.send(["GET", "n"])) as string
    expect(bigint.decode(raw)).toBe(2n ** 53n + 1n)
    expect(() => int.decode(raw)).toThrow(expect.objectContaining({ code: "CODEC.INT" }))
  })

  test("float counters come back as they were added", async () => {
    await server.driver.send(["INCRBYFLOAT", "f", float.encode(0.1)])
    const raw = (await server.driver.send(["INCRBYFLOAT", "f", float.encode(1e21)])) as string
    expect(float.decode(raw)).toBe(1e21 + 0.1)
  })
})
