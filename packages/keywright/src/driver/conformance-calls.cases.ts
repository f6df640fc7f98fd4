/* What every driver must do: batches, transactions, scripts, subscriptions, databases,
 * separate connections, deadlines and aborts. */

import { expect } from "vitest"
import { KeywrightError } from "../errors/error.ts"
import { NotApplied, OutcomeUnknown, Refused, WrongType } from "../errors/outcome.ts"
import type { Command, Driver, Message, Reply } from "./driver.ts"
import { evalCommand, scriptOf } from "./script.ts"

export interface CallCase {
  readonly name: string
  /** Not in a cluster. */
  readonly standalone?: true
  /** Not with a pool, which uses another connection for each call. */
  readonly oneConnection?: true
  /** Not for a cluster client of a library. */
  readonly ownConnection?: true
  run(driver: Driver, k: string): Promise<void>
}

const echo = scriptOf("echo", "return {KEYS[1], ARGV[1], ARGV[2]}")
const add = scriptOf("add", "return redis.call('INCRBY', KEYS[1], ARGV[1])")
const fails = scriptOf("fails", "return redis.error_reply('TEST.FAILED on purpose')")
const raises = scriptOf("raises", "return redis.call('LPUSH', KEYS[1], 'x')")

const failure = (promise: Promise<unknown>): Promise<KeywrightError> =>
  promise.then(
    () => expect.unreachable("it did not fail"),
    (error: unknown) => (expect(error).toBeInstanceOf(KeywrightError), error as KeywrightError),
  )
const until = async (check: () => boolean): Promise<void> => {
  for (let i = 0; i < 500 && !check(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(check()).toBe(true)
}
const calls: CallCase[] = []
const it = (name: string, run: CallCase["run"]) => void calls.push({ name, run })
const oneConnection = (name: string, run: CallCase["run"]) => void calls.push({ name, run, oneConnection: true })
const ownConnection = (name: string, run: CallCase["run"]) => void calls.push({ name, run, ownConnection: true })
const standalone = (name: string, run: CallCase["run"]) => void calls.push({ name, run, standalone: true })

it("answers a batch in order, errors in place", async (driver, k) => {
  const replies = await driver.batch([["SET", k, "v"], ["LPUSH", k, "x"], ["GET", k], ["NOSUCH"], ["STRLEN", k]])
  expect(replies[0]).toBe("OK")
  expect(replies[1]).toBeInstanceOf(WrongType)
  expect(replies[2]).toBe("v")
  expect(replies[3]).toBeInstanceOf(Refused)
  expect(replies[4]).toBe(1)
})
it("answers an empty batch", async (driver) => expect(await driver.batch([])).toEqual([]))
it("answers a batch of one", async (driver, k) => expect(await driver.batch([["INCR", k]])).toEqual([1]))
it("gives a batch's replies as bytes", async (driver, k) => {
  const value = Buffer.from([0, 255])
  const replies = await driver.batch(
    [
      ["SETEX", k, "100", value],
      ["GET", k],
      ["STRLEN", k],
    ],
    { bytes: true },
  )
  expect(replies.slice(1)).toEqual([value, 2])
})
it("gives scores in a batch in the one shape", async (driver, k) => {
  const replies = await driver.batch([
    ["ZADD", k, "1.5", "a"],
    ["ZRANGE", k, "0", "-1", "WITHSCORES"],
    ["ZSCORE", k, "a"],
  ])
  expect(replies).toEqual([1, ["a", "1.5"], "1.5"])
})
it("keeps big integers of a batch exact", async (driver, k) => {
  expect(
    await driver.batch([
      ["SET", k, "9007199254740992"],
      ["INCR", k],
    ]),
  ).toEqual(["OK", 9007199254740993n])
})
it("answers a batch of 5,000", async (driver, k) => {
  const replies = await driver.batch(
    Array.from({ length: 5000 }, (): Command => ["RPUSH", k, "x"]),
    { timeoutMs: 20_000 },
  )
  expect(replies).toEqual(Array.from({ length: 5000 }, (_, i) => i + 1))
})
oneConnection("keeps the order of calls that are made together", async (driver, k) => {
  await Promise.all(Array.from({ length: 200 }, (_, i) => driver.send(["RPUSH", k, String(i)])))
  expect(await driver.send(["LRANGE", k, "0", "-1"])).toEqual(Array.from({ length: 200 }, (_, i) => String(i)))
})
it("gives each of many calls its own reply", async (driver, k) => {
  const replies = await Promise.all(
    Array.from({ length: 1000 }, (_, i) => driver.send(["SETRANGE", `${k}:${i}`, String(i), "x"])),
  )
  expect(replies).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1))
})
it("mixes bytes and text among calls made together", async (driver, k) => {
  await driver.send(["SET", k, "é"])
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => driver.send(["GET", k], { bytes: i % 2 === 0 })),
  )
  expect(replies).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? Buffer.from("é") : "é")))
})

it("carries out a transaction and answers in order", async (driver, k) => {
  expect(
    await driver.multi([
      ["SET", k, "5"],
      ["INCR", k],
      ["GET", k],
    ]),
  ).toEqual(["OK", 6, "6"])
})
it("answers an empty transaction", async (driver) => expect(await driver.multi([])).toEqual([]))
it("puts errors of a transaction in place", async (driver, k) => {
  const replies = await driver.multi([
    ["SET", k, "v"],
    ["LPUSH", k, "x"],
    ["APPEND", k, "w"],
  ])
  expect([replies[0], replies[2]]).toEqual(["OK", 2])
  expect(replies[1]).toBeInstanceOf(WrongType)
})
it("rejects a transaction that the server discards, and says why", async (driver, k) => {
  const error = await failure(
    driver.multi([
      ["SET", k, "v"],
      ["NOSUCHCOMMAND", k],
    ]),
  )
  expect(error).toBeInstanceOf(Refused)
  expect(error.code).toBe("SERVER.EXECABORT")
  expect((error.cause as KeywrightError).message).toMatch(/unknown command/i)
  expect(await driver.send(["EXISTS", k])).toBe(0)
})
it("is usable after a discarded transaction", async (driver, k) => {
  await failure(driver.multi([["GET"]]))
  expect(await driver.send(["SET", k, "v"])).toBe("OK")
})
it("gives a transaction's replies in the one shape", async (driver, k) => {
  const replies = await driver.multi([
    ["HSET", k, "__proto__", "1"],
    ["HGETALL", k],
    ["ZADD", `${k}:z`, "2.5", "m"],
    ["ZRANGE", `${k}:z`, "0", "-1", "WITHSCORES"],
    ["ZSCORE", `${k}:z`, "m"],
    ["ZPOPMIN", `${k}:z`, "1"],
  ])
  expect(replies).toEqual([1, ["__proto__", "1"], 1, ["m", "2.5"], "2.5", ["m", "2.5"]])
})
it("keeps big integers of a transaction exact", async (driver, k) => {
  expect(
    await driver.multi([
      ["SET", k, "9007199254740992"],
      ["INCR", k],
    ]),
  ).toEqual(["OK", 9007199254740993n])
})
it("gives a transaction's replies as bytes", async (driver, k) => {
  const value = Buffer.from([200, 0, 10, 13])
  const replies = await driver.multi(
    [
      ["SETEX", k, "100", value],
      ["GET", k],
    ],
    { bytes: true },
  )
  expect(replies[1]).toEqual(value)
})
it("lets nothing come between the commands of a transaction", async (driver, k) => {
  const work = Array.from({ length: 50 }, (_, i) => [
    driver.multi([
      ["INCR", k],
      ["INCR", k],
      ["INCR", k],
    ]),
    driver.send(["SET", `${k}:other`, String(i)]),
  ])
  const replies = (await Promise.all(work.map(([multi]) => multi))) as number[][]
  for (const [a, b, c] of replies) expect([b, c]).toEqual([(a as number) + 1, (a as number) + 2])
  await Promise.all(work.flat())
})

it("runs a script", async (driver, k) => expect(await driver.run(echo, [k], ["a", "b"])).toEqual([k, "a", "b"]))
it("runs a script again, by its digest", async (driver, k) => {
  for (let i = 1; i < 4; i++) expect(await driver.run(add, [k], ["1"])).toBe(i)
})
it("runs a script that the server has forgotten", async (driver, k) => {
  await driver.run(add, [k], ["1"])
  for (const primary of await driver.primaries()) await primary.send(["SCRIPT", "FLUSH"])
  expect(await driver.run(add, [k], ["1"])).toBe(2)
})
it("runs a script once for each call, however often scripts are forgotten", async (driver, k) => {
  const [primary] = await driver.primaries()
  for (let round = 0; round < 5; round++) {
    const runs = Array.from({ length: 20 }, () => driver.run(add, [k], ["1"]))
    await primary?.send(["SCRIPT", "FLUSH"])
    await Promise.all(runs)
  }
  expect(await driver.send(["GET", k])).toBe("100")
})
it("runs scripts within a batch as text", async (driver, k) => {
  const [primary] = await driver.primaries()
  await primary?.send(["SCRIPT", "FLUSH"])
  const replies = await driver.batch([evalCommand(add, [k], ["2"]), evalCommand(add, [k], ["3"])])
  expect(replies).toEqual([2, 5])
})
it("gives a script's replies as bytes", async (driver, k) => {
  const arg = Buffer.from([0, 254])
  expect(await driver.run(echo, [k], [arg, "t"], { bytes: true })).toEqual([Buffer.from(k), arg, Buffer.from("t")])
})
it("keeps the code of a script's own error", async (driver, k) => {
  const error = await failure(driver.run(fails, [k], []))
  expect([error.code, error instanceof Refused]).toEqual(["TEST.FAILED", true])
})
it("tells the type of an error raised in a script", async (driver, k) => {
  await driver.send(["SET", k, "v"])
  expect(await failure(driver.run(raises, [k], []))).toBeInstanceOf(WrongType)
})
it("runs a script with 100 kB of arguments", async (driver, k) => {
  const value = "x".repeat(100_000)
  expect(await driver.run(echo, [k], [value, ""])).toEqual([k, value, ""])
})

it("hears messages on channels", async (driver, k) => {
  const heard: Message[] = []
  const subscription = await driver.subscribe({ channels: [k, `${k}:2`], onMessage: (message) => heard.push(message) })
  await driver.send(["PUBLISH", k, "grüße"])
  await driver.send(["PUBLISH", `${k}:2`, ""])
  await until(() => heard.length === 2)
  expect(heard).toEqual([
    { channel: k, text: "grüße" },
    { channel: `${k}:2`, text: "" },
  ])
  await subscription.close()
})
it("hears messages by pattern, and names the pattern", async (driver, k) => {
  const heard: Message[] = []
  const subscription = await driver.subscribe({ patterns: [`${k}:*`], onMessage: (message) => heard.push(message) })
  await driver.send(["PUBLISH", `${k}:a`, "m"])
  await until(() => heard.length === 1)
  expect(heard).toEqual([{ pattern: `${k}:*`, channel: `${k}:a`, text: "m" }])
  await subscription.close()
})
it("hears sharded channels, or refuses to subscribe to them", async (driver, k) => {
  const heard: Message[] = []
  const subscribing = driver.subscribe({ sharded: [k, `${k}:2`], onMessage: (message) => heard.push(message) })
  if (driver.kind !== "resp" && driver.kind !== "embedded") {
    return expect(subscribing).rejects.toMatchObject({ code: "DRIVER.SHARDED_CHANNELS" })
  }
  const subscription = await subscribing
  await driver.send(["SPUBLISH", `${k}:2`, "text"])
  await until(() => heard.length === 1)
  expect(heard).toEqual([{ channel: `${k}:2`, text: "text" }])
  await subscription.close()
})
it("hears nothing after a subscription is closed", async (driver, k) => {
  const heard: Message[] = []
  const subscription = await driver.subscribe({ channels: [k], onMessage: (message) => heard.push(message) })
  await subscription.close()
  let listeners = 1
  await until(() => {
    void driver.send(["PUBLISH", k, "m"]).then((count) => (listeners = Number(count)))
    return listeners === 0
  })
  expect(heard.every((message) => message.text === "m")).toBe(true)
})
it("subscribes again after a lost connection, and says that there was a gap", async (driver, k) => {
  const heard: Message[] = []
  let gaps = 0
  const subscription = await driver.subscribe({
    channels: [k],
    patterns: [`${k}:*`],
    onMessage: (message) => heard.push(message),
    onGap: () => gaps++,
  })
  for (const primary of await driver.primaries()) await primary.send(["CLIENT", "KILL", "TYPE", "pubsub"])
  await until(() => gaps === 1)
  await driver.send(["PUBLISH", k, "one"])
  await driver.send(["PUBLISH", `${k}:x`, "two"])
  await until(() => heard.length === 2)
  expect(heard.map((message) => message.text)).toEqual(["one", "two"])
  await subscription.close()
})
it("refuses to subscribe on the shared connection", async (driver, k) => {
  const error = await failure(driver.send(["SUBSCRIBE", k]))
  expect([error.code, error instanceof NotApplied]).toEqual(["DRIVER.COMMAND", true])
})
for (const command of [
  ...[["MULTI"], ["WATCH", "x"], ["CLIENT", "REPLY", "OFF"], ["MONITOR"], ["SELECT", "1"], ["exec"], ["Multi"]],
  ...[
    ["Client", Buffer.from("Reply"), "OFF"],
    [Buffer.from("Watch"), "x"],
  ],
]) {
  const shown = command.map((word) => (typeof word === "string" ? word : `bytes:${word.toString()}`))
  it(`refuses ${shown.join(" ")} on the shared connection`, async (driver) => {
    expect((await failure(driver.send(command))).code).toBe("DRIVER.COMMAND")
    expect((await failure(driver.batch([command]))).code).toBe("DRIVER.COMMAND")
    expect((await failure(driver.multi([command]))).code).toBe("DRIVER.COMMAND")
  })
}
it("refuses a command without a word: nobody gets the reply of another", async (driver, k) => {
  const get = ["GET", k]
  await driver.send(["SET", k, "own"])
  const refused = [driver.send([]), driver.batch([get, []]), driver.batch([[]]), driver.multi([get, []])]
  const others = [driver.send(get), driver.send(["STRLEN", k])]
  for (const call of refused) expect((await failure(call)).code).toBe("DRIVER.COMMAND")
  for (const given of [undefined, "GET", [undefined]])
    expect((await failure(driver.send(given as never))).code).toMatch(/^DRIVER\.(COMMAND|ARGUMENT)$/)
  expect(await Promise.all(others)).toEqual(["own", 3])
})

standalone("speaks to another database", async (driver, k) => {
  const other = await driver.database(5)
  expect(other.db).toBe(5)
  await other.send(["SET", k, "in 5"])
  expect(await driver.send(["GET", k])).toBe(null)
  expect(await other.send(["GET", k])).toBe("in 5")
})
standalone("opens each database once", async (driver) => {
  expect(await driver.database(6)).toBe(await driver.database(6))
})
standalone("is itself the driver of its own database", async (driver) =>
  expect(await driver.database(driver.db)).toBe(driver),
)
it("refuses a database that cannot be", async (driver) => {
  expect((await failure(driver.database(-1))).code).toBe("DRIVER.DATABASE")
})
ownConnection("blocks on a connection of its own, without holding up others", async (driver, k) => {
  const own = await driver.dedicated()
  const popped = own.send(["BLPOP", k, "5"], { timeoutMs: 8000 })
  expect(await driver.send(["PING"])).toBe("PONG")
  await driver.send(["RPUSH", k, "x"])
  expect(await popped).toEqual([k, "x"])
  await own.close()
})
ownConnection("blocks on a key wherever it lives", async (driver, k) => {
  for (const key of ["a", "b", "c", "d"].map((tag) => `{${tag}${k.slice(1, -1)}}`)) {
    const own = await driver.dedicated()
    const popped = own.send(["BLPOP", key, "5"], { timeoutMs: 8000 })
    await driver.send(["RPUSH", key, "x"])
    expect(await popped).toEqual([key, "x"])
    await own.close()
  }
})
it("lists a driver for each primary", async (driver, k) => {
  await driver.send(["SET", k, "v"])
  const found: Reply[] = []
  for (const primary of await driver.primaries()) {
    let cursor = "0"
    do {
      const [next, keys] = (await primary.send(["SCAN", cursor, "MATCH", `${k}*`, "COUNT", "1000"])) as [
        string,
        Reply[],
      ]
      found.push(...keys)
      cursor = next
    } while (cursor !== "0")
  }
  expect(found).toEqual([k])
})
it("knows the server", async (driver) => {
  const facts = await driver.facts()
  expect(facts.version).toMatch(/^\d+\.\d+\.\d+/)
  expect(facts.role).toBe("primary")
  expect(facts.mode).toBe(driver.cluster ? "cluster" : "standalone")
  expect(facts.flavour).toBe(driver.kind === "embedded" ? "valkey" : "redis")
})

it("refuses what is aborted before it is sent", async (driver, k) => {
  const error = await failure(driver.send(["INCR", k], { signal: AbortSignal.abort() }))
  expect([error.code, error instanceof NotApplied]).toEqual(["DRIVER.ABORTED", true])
  expect(await driver.send(["EXISTS", k])).toBe(0)
})
ownConnection("lets go of a call that is aborted while it waits", async (driver, k) => {
  const own = await driver.dedicated()
  await own.send(["PING"])
  const abortedAfter = async (ms: number) => {
    const abort = new AbortController()
    const popped = failure(own.send(["BLPOP", k, "0"], { signal: abort.signal, timeoutMs: 60_000 }))
    await new Promise((resolve) => setTimeout(resolve, ms))
    abort.abort()
    return popped
  }
  let error = await abortedAfter(30)
  // On a busy machine it may not have been sent by then.
  for (let ms = 100; error instanceof NotApplied && ms < 10_000; ms *= 3) error = await abortedAfter(ms)
  expect([error.code, error instanceof OutcomeUnknown]).toEqual(["DRIVER.ABORTED", true])
  await own.close()
})
it("is not disturbed by a signal that is never aborted", async (driver, k) => {
  const { signal } = new AbortController()
  expect(await driver.send(["SET", k, "v"], { signal })).toBe("OK")
  expect(await driver.batch([["GET", k]], { signal })).toEqual(["v"])
  expect(await driver.multi([["GET", k]], { signal })).toEqual(["v"])
})
ownConnection("ends a call at its deadline, its outcome unknown", async (driver, k) => {
  const own = await driver.dedicated()
  await own.send(["PING"])
  const error = await failure(own.send(["BLPOP", k, "0"], { timeoutMs: 60 }))
  expect([error.code, error instanceof OutcomeUnknown]).toEqual(["DRIVER.TIMEOUT", true])
  await own.close()
})
ownConnection("gives no late reply to another call", async (driver, k) => {
  const own = await driver.dedicated()
  await own.send(["PING"])
  await failure(own.send(["BLPOP", k, "0"], { timeoutMs: 60 }))
  const next = own.send(["ECHO", "mine"], { timeoutMs: 5000 })
  await driver.send(["RPUSH", k, "late"])
  expect(await next).toBe("mine")
  await own.close()
})
ownConnection("waits for replies when it is closed", async (driver, k) => {
  const own = await driver.dedicated()
  const reply = own.send(["SET", k, "v"])
  await own.close()
  expect(await reply).toBe("OK")
})
ownConnection("refuses calls after it is closed", async (driver, k) => {
  const own = await driver.dedicated()
  await own.close()
  const error = await failure(own.send(["SET", k, "v"]))
  expect([error.code, error instanceof NotApplied]).toEqual(["DRIVER.CLOSED", true])
})
ownConnection("can be closed twice", async (driver) => {
  const own = await driver.dedicated()
  await own.close()
  await own.close()
})
it("names no values in its errors", async (driver) => {
  const error = await failure(driver.send(["NOSUCHCOMMAND", "hunter2"]))
  expect(JSON.stringify({ ...error, message: error.message })).not.toContain("hunter2")
})

export const callCases: readonly CallCase[] = calls
