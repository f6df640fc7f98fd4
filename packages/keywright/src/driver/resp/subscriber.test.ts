/* What a server can do to a subscription that it has confirmed: it may interrupt it, but not end it unnoticed, and
 * not have itself dialled without a pause. */

import { afterEach, describe, expect, test } from "vitest"
import { bulk, list } from "../../../../../test/fake-nodes.ts"
import { type HostileAnswer, startHostile } from "../../../../../test/hostile-server.ts"
import { needs } from "../../../../../test/needs.ts"
import { startProxy } from "../../../../../test/tcp-proxy.ts"
import { until } from "../../../../../test/until.ts"
import type { Driver } from "../driver.ts"
import { redisForSuite } from "../redis-for-suite.cases.ts"
import { openResp } from "./open-resp.ts"

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

function open(url: string, timeoutMs: number): Driver {
  const driver = openResp(url, { timeoutMs })
  ends.push(() => driver.close())
  return driver
}

/** Subscribed to the channel `c`, with what was heard and told since. */
async function listenAt(driver: Driver) {
  const told = { heard: [] as string[], gaps: 0, refusals: [] as string[] }
  await driver.subscribe({
    channels: ["c"],
    onMessage: ({ text }) => void told.heard.push(text),
    onGap: () => void told.gaps++,
    onRefused: (error) => void told.refusals.push((error as Error & { code: string }).code),
  })
  return told
}

const CONFIRMED = list(bulk("subscribe"), bulk("c"), ":1\r\n")
const message = (text: string) => list(bulk("message"), bulk("c"), bulk(text))

describe("a server that has confirmed a subscription", () => {
  /** `answer` is what it says to the first SUBSCRIBE, the second one and so on. */
  async function listen(answer: (turn: number, socket: Parameters<HostileAnswer>[1]) => string | undefined) {
    let turn = 0
    const server = await startHostile(([name], socket) => (name === "SUBSCRIBE" ? answer(turn++, socket) : "+PONG\r\n"))
    ends.push(() => server.close())
    const told = await listenAt(open(server.url, 20_000))
    return { told, asked: () => turn }
  }

  test("and says that it is busy is listened to on the same connection", async () => {
    const { told, asked } = await listen(() => `${CONFIRMED}-BUSY Redis is busy\r\n${message("still")}`)
    await until(() => told.heard.length === 1)
    expect([asked(), told.gaps, told.refusals]).toEqual([1, 0, []])
  })

  for (const [name, answer] of Object.entries({
    "breaks off": (_: number, socket: Parameters<HostileAnswer>[1]) => (socket.end(CONFIRMED), undefined),
    // What follows the error in the same bytes does not count.
    "sends an error": () => `${CONFIRMED}-ERR no\r\n${CONFIRMED}`,
  }))
    test(`and ${name} each time is dialled more and more rarely, and each is a gap`, async () => {
      const began = performance.now()
      const { told, asked } = await listen(answer)
      await until(() => told.gaps >= 12)
      // Six times until the delay is at its longest, of which a half is certain.
      expect(asked()).toBeLessThan(8 + (performance.now() - began) / 250)
      expect([told.gaps, told.refusals]).toEqual([asked() - 1, []])
    })

  test("and answers only PING after a lost connection is dialled again until it confirms", async () => {
    let turn = 0
    const server = await startHostile(([name], socket) => {
      if (name !== "SUBSCRIBE") return "+PONG\r\n"
      if (turn++ === 0) return void socket.end(CONFIRMED)
      return turn < 4 ? undefined : CONFIRMED + message("back")
    })
    ends.push(() => server.close())
    const told = await listenAt(open(server.url, 1000))
    await until(() => told.heard.length === 1)
    expect([told.gaps, told.refusals, server.opened() >= 4]).toEqual([1, [], true])
  })

  test("and refuses it later for a while is asked until it confirms", async () => {
    const { told } = await listen((turn, socket) => {
      if (turn === 0) return void socket.end(CONFIRMED)
      return turn < 5 ? "-BUSY Redis is busy\r\n" : CONFIRMED + message("back")
    })
    await until(() => told.heard.length === 1)
    expect([told.gaps, told.refusals]).toEqual([1, []])
  })

  test("and refuses it later is asked until it confirms, and the subscriber is told once", async () => {
    const { told } = await listen((turn, socket) => {
      if (turn === 0 || turn === 5) return void socket.end(CONFIRMED)
      if (turn === 6) return "-ERR unknown command 'SUBSCRIBE'\r\n"
      return turn < 5 ? "-NOPERM this user has no permissions\r\n" : CONFIRMED + message("back")
    })
    await until(() => told.heard.length === 1)
    expect([told.gaps, told.refusals]).toEqual([2, ["SERVER.NOPERM", "SERVER.ERR"]])
  })
})

describe.runIf(needs("redis-server"))("a subscription on a real server", () => {
  const suite = redisForSuite({ args: ["--busy-reply-threshold", "20"] })
  const publish = (text: string) => suite.driver.send(["PUBLISH", "c", text], { timeoutMs: 20_000 })

  test("outlives a script that keeps the server busy, and a lost connection meanwhile", async () => {
    const proxy = await startProxy(suite.redis.port)
    ends.push(() => proxy.close())
    // A PING after each second without a message.
    const driver = open(proxy.url, 1000)
    const told = await listenAt(driver)
    await driver.send(["PING"], { timeoutMs: 20_000 })
    const script = suite.driver.send(["EVAL", "while true do end", "0"], { timeoutMs: 60_000 }).catch(() => undefined)
    const control = open(suite.redis.url, 60_000)
    const isBusy = (error: unknown) => (error as { code?: string }).code === "SERVER.BUSY"
    await until(() => control.send(["GET", "k"], { timeoutMs: 100 }).then(() => false, isBusy))
    const moreReplies = async (bytes: number) => {
      const before = proxy.bytes().replies
      await until(() => proxy.bytes().replies > before + bytes)
    }
    await moreReplies(0)
    proxy.reset()
    await moreReplies(1000)
    await control.send(["SCRIPT", "KILL"])
    await script
    await until(async () => (await publish("after")) === 1)
    await until(() => told.heard.length > 0 && told.gaps > 0)
    expect(told.refusals).toEqual([])
  })

  for (const [code, rule, remedy] of [
    ["SERVER.NOPERM", "resetchannels", "&*"],
    ["SERVER.WRONGPASS", "<secret", ">secret"],
  ] as const)
    test(`says that its user is refused after a lost connection (${code}), and hears again when they are not`, async () => {
      const acl = (...rules: string[]) => suite.driver.send(["ACL", "SETUSER", "listener", ...rules])
      await acl("on", ">secret", "+@all", "~*", "&*")
      const told = await listenAt(open(suite.redis.url.replace("//", "//listener:secret@"), 20_000))
      await acl(rule)
      await suite.driver.send(["CLIENT", "KILL", "TYPE", "pubsub"])
      await until(() => told.refusals.length === 1)
      await acl(remedy)
      await until(() => told.gaps === 1)
      expect(await publish("again")).toBe(1)
      await until(() => told.heard.length === 1)
      expect(told.refusals).toEqual([code])
    })
})

test("hears what follows a message that its listener cannot take, on the same connection, and warns of that", async () => {
  const server = await startHostile(([name]) =>
    name === "SUBSCRIBE" ? `${CONFIRMED}${message("{")}${message('"fine"')}` : "+PONG\r\n",
  )
  ends.push(() => server.close())
  const warnings: string[] = []
  const note = (warning: Error) => void warnings.push(warning.message)
  process.on("warning", note)
  ends.push(() => process.off("warning", note))
  const heard: unknown[] = []
  await open(server.url, 20_000).subscribe({
    channels: ["c"],
    onMessage: ({ text }) => void heard.push(JSON.parse(text)),
  })
  await until(() => heard.length === 1 && warnings.length === 1)
  expect([heard, server.opened()]).toEqual([["fine"], 2])
  expect(warnings[0]).toMatch(/^onMessage of a subscription failed: SyntaxError/)
})

test("is not opened, and left open, by a driver that is closed meanwhile or before", async () => {
  const subscribing: (() => void)[] = []
  const server = await startHostile(([name], socket) => {
    if (name !== "SUBSCRIBE") return "+PONG\r\n"
    return void subscribing.push(() => socket.write(CONFIRMED))
  })
  ends.push(() => server.close())
  const driver = open(server.url, 20_000)
  const to = { channels: ["c"], onMessage: () => undefined }
  const meanwhile = driver.subscribe(to)
  meanwhile.catch(() => undefined)
  await until(() => subscribing.length === 1)
  await driver.close()
  subscribing[0]!()
  for (const call of [() => meanwhile, () => driver.subscribe(to), () => driver.database(1)])
    await expect(call()).rejects.toMatchObject({ name: "NotApplied", code: "DRIVER.CLOSED" })
  await until(() => server.open() === 0)
})
