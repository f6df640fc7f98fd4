import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { SAFE } from "../../driver/safe.ts"
import { KeywrightError } from "../../errors/error.ts"
import { patient } from "./patient.ts"
import { isRefusal, noting } from "./refusal.ts"

describe.runIf(needs("redis-server"))("replies that are refusals", () => {
  let redis: RealRedis
  let driver: Driver
  let limited: Driver
  beforeAll(async () => {
    redis = await startRedis({ args: ["--busy-reply-threshold", "20"] })
    driver = openResp(redis.url)
    await driver.batch([
      ["SET", "mine", "1"],
      ["SET", "theirs", "2"],
      ["ACL", "SETUSER", "limited", "on", ">x", "~mine", "+@all"],
    ])
    limited = openResp(redis.url.replace("//", "//limited:x@"))
  })
  afterAll(async () => {
    await Promise.all([driver.close(), limited.close()])
    await redis.stop()
  })

  it("a key that has another type or has gone was not refused", async () => {
    const replies = await driver.batch([
      ["LLEN", "mine"],
      ["XINFO", "STREAM", "nothing"],
      ["GET", "mine", "more"],
    ])
    expect(replies.every((reply) => reply instanceof KeywrightError)).toBe(true)
    expect(replies.map(isRefusal)).toEqual([false, false, true])
    expect((await limited.batch([["GET", "theirs"]])).map(isRefusal)).toEqual([true])
  })

  it("what is refused for a while in a batch is asked again", async () => {
    const busy = openResp(redis.url)
    const ended = busy.send(["EVAL", "while true do end", "0"], { timeoutMs: 60_000 }).catch((error: unknown) => error)
    let isBusy = false
    while (!isBusy)
      isBusy = await driver.send(["GET", "mine"], { timeoutMs: 200 }).then(
        () => false,
        () => true,
      )
    // The first is refused, and nothing else would refuse it: the second ends the script.
    const commands = [
      ["GET", "mine"],
      ["SCRIPT", "KILL"],
    ]
    expect(await patient(driver, 30_000).batch(commands, SAFE)).toEqual(["1", "OK"])
    expect(await ended).toBeInstanceOf(KeywrightError)
    await busy.close()
  })

  it("a transaction leaves out what is refused, and notes it", async () => {
    const noted: Command[] = []
    const watched = noting(patient(limited, 20_000), (command) => noted.push(command))
    const replies = await watched.multi(
      [
        ["GET", "mine"],
        ["GET", "theirs"],
        ["EXISTS", "mine"],
      ],
      SAFE,
    )
    expect([replies[0], isRefusal(replies[1]), replies[2]]).toEqual(["1", true, 1])
    expect(noted).toEqual([["GET", "theirs"]])
  })
})
