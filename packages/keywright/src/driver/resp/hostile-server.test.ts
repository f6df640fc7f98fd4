/* What a broken or hostile server can do to our own connection: nothing that hangs, grows or goes
 * unnoticed. Each row is an attack; the server is real, and counts what it could send. */

import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, describe, expect, test } from "vitest"
import { keyWrite } from "../../client/kinds/key-write.ts"
import { isFull } from "../../../../../test/full.ts"
import { flood, type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import type { Driver } from "../driver.ts"
import { openResp, type RespOptions } from "./open-resp.ts"

let server: HostileServer | undefined
let driver: Driver | undefined
afterEach(async () => {
  await driver?.close()
  await server?.close()
  driver = undefined
  server = undefined
})

const open = (options: RespOptions = {}): Driver => (driver = openResp(server!.url, { timeoutMs: 300, ...options }))
/** A reply of another kind ends the connection: several of them in a row take a while. */
const patient: RespOptions = { timeoutMs: 20_000 }
const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => ({ value }),
    (error: unknown) => error,
  )

/** As soon as it is so; the test's own deadline is the limit. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10)
}

/** Replies that are refused as soon as they are seen for what they are. */
const BROKEN: Readonly<Record<string, string>> = {
  "a list of more elements than fit": "*999999999999\r\n",
  "a map of more entries than fit": "%999999999999\r\n",
  "a set of more elements than fit": "~999999999999\r\n",
  "an attribute of more entries than fit": "|999999999999\r\n",
  "a push of more elements than fit": ">999999999999\r\n",
  "a string that is too long": "$999999999999\r\n",
  "a verbatim string that is too long": "=999999999999\r\n",
  "an error that is too long": "!70000\r\n",
  "a length with too many digits": "*9999999999999999999\r\n",
  "a string of length -2": "$-2\r\n",
  "a list of length -2": "*-2\r\n",
  "a map of length -1": "%-1\r\n",
  "a push of length -1": ">-1\r\n",
  "an attribute of length -1": "|-1\r\n",
  "a verbatim string of length -1": "=-1\r\n",
  "a streamed list": "*?\r\n",
  "a streamed string": "$?\r\n",
  "a verbatim string without its format": "=2\r\nab\r\n",
  "a verbatim string with another format": "=5\r\nabcde\r\n",
  "an integer of 21 digits": `:${"1".repeat(21)}\r\n`,
  "a big number without digits": "(\r\n",
  "a big number in hexadecimal": "(0x10\r\n",
  "a big number with a point": "(1.5\r\n",
  "a big number of 5000 digits": `(${"1".repeat(5000)}\r\n`,
  "a boolean of another letter": "#x\r\n",
  "a null with something in it": "_x\r\n",
  "a push inside a reply": "*2\r\n>1\r\n+x\r\n+y\r\n",
  "a reply that is nested too deep": `${"*1\r\n".repeat(200)}:1\r\n`,
  "attributes that are nested too deep": "|1\r\n".repeat(200),
  "a page of HTTP": "HTTP/1.1 200 OK\r\n\r\n",
  "a carriage return alone": "+O\rK\r\n",
  "a string that goes on": "$2\r\nOKAY\r\n",
}

describe("a reply that is broken", () => {
  for (const [name, bytes] of Object.entries(BROKEN))
    test(`${name} ends the connection, and the next one works`, async () => {
      server = await startHostile((_, __, connection) => (connection === 0 ? bytes : "+fine\r\n"))
      open({ timeoutMs: 5000 })
      const error = await failure(driver!.send(["ECHO", "x"]))
      expect(error).toBeInstanceOf(OutcomeUnknown)
      const isTooLarge = /than fit$|too long$/.test(name)
      expect(error).toMatchObject(
        isTooLarge
          ? { code: "DRIVER.REPLY_TOO_LARGE" }
          : { code: "DRIVER.CONNECTION_LOST", cause: { code: "DRIVER.PROTOCOL" } },
      )
      expect(await driver!.send(["ECHO", "x"])).toBe("fine")
      expect(server.open()).toBe(1)
    })
})

/** Replies without an end: a beginning, then the same for ever. */
const ENDLESS: Readonly<Record<string, readonly [string, string]>> = {
  "a list of numbers": ["*30000000\r\n", ":1\r\n"],
  "a list of lists": ["*30000000\r\n", "*0\r\n"],
  "a list of nulls": ["*30000000\r\n", "_\r\n"],
  "a list of empty strings": ["*30000000\r\n", "$0\r\n\r\n"],
  "a list of errors": ["*30000000\r\n", "-ERR no\r\n"],
  "a list of big numbers": ["*30000000\r\n", `(${"9".repeat(4000)}\r\n`],
  "a map": ["%15000000\r\n", "+k\r\n"],
  "a push": [">30000000\r\n", "+x\r\n"],
  "an attribute": ["|15000000\r\n", "+x\r\n"],
  "a status without a line end": ["+", "x"],
  "an integer without a line end": [":", "1"],
  "a length without a line end": ["*", "1"],
  "a string": ["$500000000\r\n", "x"],
}

describe("a reply without an end", () => {
  const all = Object.entries(ENDLESS)
  for (const [name, [begin, more]] of isFull ? all : all.filter((_, i) => i % 3 === 1))
    test(`${name}: the calls settle, the connection ends, and the next one works`, async () => {
      server = await startHostile((command, socket, connection) => {
        if (connection > 0) return command[0] === "INCR" ? ":1\r\n" : "+fine\r\n"
        if (command[0] === "PING") return "+PONG\r\n"
        if (command[0] !== "ECHO") return undefined
        socket.write(begin)
        return flood(socket, more)
      })
      open()
      await driver!.send(["PING"], { timeoutMs: 20_000 })
      const before = process.memoryUsage().rss
      const endless = failure(driver!.send(["ECHO", "x"]))
      const behind = failure(driver!.send(["INCR", "k"]))
      const repeated = failure(driver!.send(["ECHO", "again"], { safe: true, timeoutMs: 10_000 }))
      for (const error of [await endless, await behind]) expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(await endless).toMatchObject({ code: expect.stringMatching(/^DRIVER\.(TIMEOUT|CONNECTION_LOST)$/) })
      expect(await repeated).toEqual({ value: "fine" })
      await until(() => server!.open() === 1)
      const sent = server.sent()
      await sleep(50)
      expect(server.sent() - sent).toBeLessThan(1000)
      expect(process.memoryUsage().rss - before).toBeLessThan(600_000_000)
    })

  for (const [name, more] of Object.entries({
    attributes: "|1\r\n+a\r\n+b\r\n",
    "push messages": ">1\r\n+a\r\n",
  }))
    test(`${name}, and never the reply: the next call goes over another connection, and this one ends`, async () => {
      server = await startHostile((_, socket, connection) => (connection > 0 ? "+fine\r\n" : flood(socket, more)))
      // Long enough to connect, however busy the machine.
      open({ timeoutMs: 1000 })
      expect(await failure(driver!.send(["ECHO", "x"]))).toBeInstanceOf(OutcomeUnknown)
      expect(await driver!.send(["ECHO", "x"], { timeoutMs: 10_000 })).toBe("fine")
      await until(() => server!.open() === 1)
    })

  test("is bounded by `replyBytes`, long before its deadline", async () => {
    for (const [begin, more, code = "DRIVER.REPLY_TOO_LARGE"] of [
      ["*100000\r\n", "*0\r\n"],
      ["*10\r\n$900000\r\n", "x", "DRIVER.CONNECTION_LOST"], // The string has no end.
      ["*3\r\n*100000\r\n", ":1\r\n"],
    ] as const) {
      server = await startHostile((_, socket) => {
        socket.write(begin)
        return flood(socket, more)
      })
      open({ timeoutMs: 60_000, replyBytes: 1_000_000 })
      const error = await failure(driver!.send(["ECHO", "x"]))
      expect(error).toMatchObject({ code })
      await driver!.close()
      await server.close()
    }
  })

  test("does not end a connection whose late reply is complete", async () => {
    let arrive: (release: () => void) => void = () => undefined
    const arrived = new Promise<() => void>((resolve) => (arrive = resolve))
    server = await startHostile((command, socket) => {
      if (command[1] === "behind") arrive(() => socket.write("+late\r\n+soon\r\n"))
      return undefined
    })
    open({ timeoutMs: 5000 })
    const late = failure(driver!.send(["ECHO", "late"], { timeoutMs: 100 }))
    const behind = driver!.send(["ECHO", "behind"])
    expect(await late).toMatchObject({ code: "DRIVER.TIMEOUT" })
    const release = await arrived
    release()
    expect(await behind).toBe("soon")
  })
})

test("a server that reads everything and answers little does not have calls pile up: it is dialled again", async () => {
  const unanswered: (() => void)[] = []
  server = await startHostile((_, socket) => void unanswered.push(() => socket.write("+late\r\n")))
  const answering = setInterval(() => unanswered.shift()?.(), 10)
  open({ timeoutMs: 100 })
  const calls: Promise<unknown>[] = []
  while (server.opened() < 2) {
    expect(calls.length).toBeLessThan(10_000)
    for (let i = 0; i < 20; i++) calls.push(failure(driver!.send(["ECHO", "x"])))
    await sleep(10)
  }
  await Promise.all(calls)
  await until(() => server!.open() === 1)
  clearInterval(answering)
})

describe("replies that nobody asked for", () => {
  for (const [name, extra] of Object.entries({
    "a status": "+OK\r\n",
    "the beginning of a list": "*100\r\n",
    "the beginning of a string": "$100\r\n",
    "a list": "*1\r\n+x\r\n",
  }))
    test(`${name} after the reply ends the connection`, async () => {
      server = await startHostile((_, __, connection) => (connection === 0 ? `+OK\r\n${extra}` : "+fine\r\n"))
      open()
      expect(await driver!.send(["ECHO", "x"])).toBe("OK")
      await until(() => server!.opened() === 2)
      expect(await driver!.send(["ECHO", "x"])).toBe("fine")
    })
})

test("a push message without an end, while nobody waits, ends the connection", async () => {
  server = await startHostile((_, socket, connection) => {
    if (connection > 0) return "+fine\r\n"
    socket.write("+OK\r\n>30000000\r\n")
    return flood(socket, "+x\r\n")
  })
  open({ timeoutMs: 20_000 })
  expect(await driver!.send(["ECHO", "x"])).toBe("OK")
  await until(() => server!.opened() === 2)
  // What the buffers of two sockets hold, and not the gigabyte that a reply may have.
  expect(server.sent()).toBeLessThan(20_000_000)
  expect(await driver!.send(["ECHO", "x"])).toBe("fine")
})

test("push messages without number, while nobody waits, end the connection", async () => {
  server = await startHostile((_, socket, connection) => {
    if (connection > 0) return "+fine\r\n"
    socket.write("+OK\r\n")
    return flood(socket, ">1\r\n+x\r\n")
  })
  open({ timeoutMs: 20_000 })
  expect(await driver!.send(["ECHO", "x"])).toBe("OK")
  await until(() => server!.opened() === 2)
  expect(await driver!.send(["ECHO", "x"])).toBe("fine")
})

describe("an answer of another kind", () => {
  test("ends the connection: the replies behind it may be those of other calls", async () => {
    let isLost = false
    // Each INCR is answered with a number and each GET with its key, except that one reply is left out.
    server = await startHostile(([name, key]) => {
      if (name === "GET") return `$${key!.length}\r\n${key}\r\n`
      if (isLost) return ":1\r\n"
      isLost = true
      return undefined
    })
    open()
    const calls = Array.from({ length: 50 }, (_, i) =>
      failure(driver!.send(i % 5 === 0 ? ["INCR", "n"] : ["GET", `key:${i}`], { safe: i % 5 !== 0 })),
    )
    const read = (await Promise.all(calls)).filter((_, i) => i % 5 !== 0)
    const keys = calls.map((_, i) => `key:${i}`).filter((_, i) => i % 5 !== 0)
    expect(read).toEqual(keys.map((value) => ({ value })))
    expect(server.opened()).toBe(2)
  })

  test.each([
    ["MULTI", "*2\r\n+O\r\n+K\r\n", "+QUEUED\r\n"],
    ["a command that is queued", "+OK\r\n", "*1\r\n+QUEUED\r\n"],
    ["a command that is carried out at once", "+OK\r\n", "+OK\r\n"],
  ])("to %s leaves the outcome of a transaction unknown", async (_, multi, queued) => {
    server = await startHostile(([name]) => (name === "MULTI" ? multi : name === "EXEC" ? "*1\r\n+OK\r\n" : queued))
    open(patient)
    const outcome = await failure(driver!.multi([["SET", "k", "v"]]))
    expect(outcome).toBeInstanceOf(OutcomeUnknown)
    expect(outcome).toMatchObject({ code: "DRIVER.REPLY" })
  })

  test("that is a number too large for JavaScript is an error of its call alone: honest servers have such deadlines", async () => {
    server = await startHostile(([name]) => (name === "PTTL" ? ":1790000000000000000\r\n" : ":1\r\n"))
    open()
    const calls = [driver!.send(["INCR", "n"]), driver!.send(["PTTL", "k"]), driver!.send(["INCR", "n"])]
    const [before, deadline, after] = await Promise.all(calls.map(failure))
    expect([before, after]).toEqual([{ value: 1 }, { value: 1 }])
    expect(deadline).toMatchObject({ code: "DRIVER.REPLY" })
    expect(server.opened()).toBe(1)
  })

  test("to PING is an error", async () => {
    server = await startHostile(() => "*1\r\n+PONG\r\n")
    open(patient)
    expect(await failure(driver!.send(["PING"]))).toMatchObject({ code: "DRIVER.REPLY" })
  })

  test("that is a cursor of very many digits settles its call, also where bytes are asked for", async () => {
    server = await startHostile(() => `*2\r\n$300000\r\n${"1".repeat(300_000)}\r\n*0\r\n`)
    open(patient)
    for (const bytes of [false, true])
      expect(await failure(driver!.send(["SSCAN", "k", "0"], { bytes }))).toMatchObject({ code: "DRIVER.REPLY" })
  })

  test("is an error, not what the server said", async () => {
    server = await startHostile(() => "*2\r\n+O\r\n+K\r\n")
    open(patient)
    expect(await failure(driver!.send(["SET", "k", "v"]))).toMatchObject({ code: "DRIVER.REPLY" })
    expect(await failure(driver!.send(["INCR", "k"]))).toBeInstanceOf(OutcomeUnknown)
    expect(await driver!.send(["SMEMBERS", "k"])).toEqual(["O", "K"])
    const replies = await driver!.batch([
      ["GET", "k"],
      ["SMEMBERS", "k"],
      ["SCAN", "0"],
    ])
    expect(replies.map((one) => (Array.isArray(one) ? one : (one as { code: string }).code))).toEqual([
      "DRIVER.REPLY",
      ["O", "K"],
      "DRIVER.REPLY",
    ])
  })

  test.each([
    [
      ["MGET", "a", "b", "c", "d"],
      ["MGET", "a", "b", "c"],
    ],
    [
      ["HMGET", "k", "a", "b"],
      ["HMGET", "k", "a", "b", "c"],
    ],
    [
      ["ZMSCORE", "k", "a"],
      ["ZMSCORE", "k", "a", "b", "c"],
    ],
    [
      ["SMISMEMBER", "k", "a", "b"],
      ["SMISMEMBER", "k", "a", "b", "c"],
    ],
    [
      ["GEOPOS", "k", "a", "b", "c", "d"],
      ["GEOPOS", "k", "a", "b", "c"],
    ],
    [
      ["HGETALL", "k"],
      ["HKEYS", "k"],
    ],
    [
      ["ZPOPMIN", "k", "2"],
      ["SPOP", "k", "3"],
    ],
    [
      ["ZRANGE", "k", "0", "-1", "WITHSCORES"],
      ["ZRANGE", "withscores", "0", "-1"],
    ],
  ])("a list of three texts is not accepted as an answer to %j, but to %j", async (refused, accepted) => {
    server = await startHostile(() => "*3\r\n+1\r\n+2\r\n+3\r\n")
    open(patient)
    expect(await failure(driver!.send(refused))).toMatchObject({ code: "DRIVER.REPLY" })
    expect((await driver!.batch([refused]))[0]).toMatchObject({ code: "DRIVER.REPLY" })
    expect(await driver!.send(accepted)).toEqual(["1", "2", "3"])
  })

  const NO_ANSWERS: Readonly<
    Record<string, readonly [replies: readonly string[], commands: readonly (readonly string[])[]]>
  > = {
    "a status": [
      ["*2\r\n+O\r\n+K\r\n", "*1\r\n-ERR no\r\n", ":7\r\n", "+QUEUED\r\n", "$0\r\n\r\n"],
      [
        ["XGROUP", "CREATE", "k", "g", "$"],
        ["SET", "k", "v", "NX"],
        ["SET", "k", "GET"],
        ["MSET", "k", "v"],
        ["LTRIM", "k", "0", "1"],
      ],
    ],
    "a number": [
      ["+OK\r\n", "_\r\n", "*0\r\n"],
      [
        ["XGROUP", "DESTROY", "k", "g"],
        ["ZADD", "k", "1", "a"],
      ],
    ],
    "an id": [["_\r\n", "+OK\r\n", "$0\r\n\r\n", ",1.5\r\n"], [["XADD", "k", "*", "a", "b"]]],
    "a score": [["_\r\n", ":1\r\n"], [["ZINCRBY", "k", "1", "a"]]],
    "a place": [
      [",1.5\r\n", ":-1\r\n", "(100000000000000000000\r\n", "*0\r\n"],
      [
        ["ZRANK", "k", "a"],
        ["ZREVRANK", "k", "a"],
        ["LPOS", "k", "a"],
      ],
    ],
    "a key and its element": [
      ["*5\r\n+k\r\n+1\r\n+2\r\n+3\r\n+4\r\n", "*2\r\n+other\r\n+1\r\n", "*2\r\n+0\r\n+1\r\n", "*0\r\n"],
      [["BLPOP", "k", "0"]],
    ],
  }
  for (const [what, [replies, commands]] of Object.entries(NO_ANSWERS))
    for (const command of commands)
      test(`${command.join(" ")} is answered by ${what}, and by nothing else`, async () => {
        let at = 0
        server = await startHostile(() => replies[at++])
        open(patient)
        for (const reply of replies)
          expect(await failure(driver!.send(command)), reply).toMatchObject({ code: "DRIVER.REPLY" })
      })

  test.each([
    [["XGROUP", "CREATE", "k", "g", "$"], "+OK\r\n", "OK"],
    [["XGROUP", "DESTROY", "k", "g"], ":1\r\n", 1],
    [["XGROUP", "HELP"], "*1\r\n+XGROUP …\r\n", ["XGROUP …"]],
    [["SET", "k", "v", "nx", "get"], "$1\r\nw\r\n", "w"],
    [["ZADD", "k", "NX", "INCR", "1", "a"], "_\r\n", null],
    [["XADD", "k", "NOMKSTREAM", "*", "a", "b"], "_\r\n", null],
    [["XADD", "k", "*", "a", "b"], "+1-0\r\n", "1-0"],
    [["ZRANK", "k", "a", "WITHSCORE"], "*2\r\n:0\r\n,1.5\r\n", [0, "1.5"]],
    [["LPOS", "k", "a"], ":0\r\n", 0],
    [["BLPOP", "j", "k", "0"], "*2\r\n+k\r\n+1\r\n", ["k", "1"]],
  ])("%j is answered by %j", async (command, reply, want) => {
    server = await startHostile(() => reply)
    open()
    expect(await driver!.send(command)).toEqual(want)
  })

  test("the reply of a write with an operation id is checked as that of its command", async () => {
    let reply = ""
    server = await startHostile(() => reply)
    open(patient)
    const run = (answered: string, keys: string[], ...words: string[]) => {
      reply = answered
      return failure(driver!.run(keyWrite, keys, ["9", String(words.length), ...words]))
    }
    for (const answered of ["*1\r\n:5\r\n", "_\r\n", "+OK\r\n"])
      expect(await run(answered, ["k", "op"], "INCRBY", "1")).toMatchObject({ code: "DRIVER.REPLY" })
    for (const answered of ["*1\r\n:5\r\n", "*3\r\n+1\r\n+2\r\n+3\r\n"])
      expect(await run(answered, ["k", "op"], "ZPOPMIN")).toMatchObject({ code: "DRIVER.REPLY" })
    expect(await run("$16\r\n9007199254740993\r\n", ["k", "op"], "INCRBY", "1")).toEqual({ value: "9007199254740993" })
    expect(await run("_\r\n", ["k", "of the family", "op"], "INCRBY", "1")).toEqual({ value: null })
  })

  test("nothing is not accepted as an answer to a SET without a condition", async () => {
    server = await startHostile(() => "_\r\n")
    open(patient)
    expect(await failure(driver!.send(["SET", "k", "v"]))).toMatchObject({ code: "DRIVER.REPLY" })
    expect(await failure(driver!.send(["SET", "NX", "GET", "PX", "10"]))).toMatchObject({ code: "DRIVER.REPLY" })
    for (const word of ["NX", "XX", "GET", "nx"]) expect(await driver!.send(["SET", "k", "v", word])).toBe(null)
  })

  test("a server that leaves out a reply does not keep all later calls waiting", async () => {
    server = await startHostile(([, word]) => (word === "lost" ? undefined : `+${word}\r\n`))
    open({ timeoutMs: 100 })
    await Promise.all([failure(driver!.send(["ECHO", "lost"])), failure(driver!.send(["ECHO", "a"]))])
    const answers: unknown[] = []
    for (let i = 0; i < 8; i++) answers.push(await failure(driver!.send(["ECHO", String(i)])))
    expect(answers.slice(-3)).toEqual(["5", "6", "7"].map((value) => ({ value })))
  })

  for (const [name, exec] of Object.entries({
    "with too few replies": "*1\r\n+OK\r\n",
    "with too many replies": "*3\r\n+OK\r\n:1\r\n:1\r\n",
    "with too many replies, the last of them a list": "*3\r\n+OK\r\n:1\r\n*1\r\n:1\r\n",
    "with a status": "+OK\r\n",
    "with a number": ":2\r\n",
    "with nothing, though nothing was watched": "_\r\n",
  }))
    test(`EXEC answered ${name} leaves the outcome unknown`, async () => {
      server = await startHostile(([command]) => (command === "EXEC" ? exec : "+OK\r\n"))
      open({ timeoutMs: 10_000 })
      const error = await failure(
        driver!.multi([
          ["SET", "k", "v"],
          ["INCR", "n"],
        ]),
      )
      expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(error).toMatchObject({ code: "DRIVER.REPLY" })
    })

  test("MULTI that a loading server discards to the end was not applied, because the server was loading", async () => {
    const discarded = "-EXECABORT Transaction discarded because of previous errors.\r\n"
    const loading = "-LOADING Redis is loading the dataset in memory\r\n"
    const answers: Readonly<Record<string, string>> = { PING: "+PONG\r\n", MULTI: "+OK\r\n", EXEC: discarded }
    server = await startHostile(([command]) => answers[command!] ?? loading)
    open({ timeoutMs: 20_000 })
    await driver!.send(["PING"])
    let error: unknown
    // On a busy machine the time may be over before it was answered once.
    do error = await failure(driver!.multi([["SET", "k", "v"]], { timeoutMs: 500 }))
    while ((error as { code?: string }).code === "DRIVER.TIMEOUT")
    expect(error).toBeInstanceOf(NotApplied)
    expect(error).toMatchObject({ code: "SERVER.LOADING" })
  })
})

/** `HELLO` answered with something else: no call is sent, and each says why. */
const GREETINGS: Readonly<Record<string, string>> = {
  "a status": "+OK\r\n",
  "a list": "*1\r\n+x\r\n",
  "a map without a protocol": "%1\r\n+a\r\n+b\r\n",
  "another protocol": "%1\r\n+proto\r\n:2\r\n",
  "a protocol in text": "%1\r\n+proto\r\n+3\r\n",
  "a null": "_\r\n",
  HTTP: "HTTP/1.1 400 Bad Request\r\n\r\n",
}

describe("a greeting that is not one", () => {
  for (const [name, hello] of Object.entries(GREETINGS))
    test(`${name}: nothing is sent, and the call says why`, async () => {
      const asked: string[] = []
      server = await startHostile(
        ([command]) => (asked.push(command!), "+OK\r\n"),
        ([command]) => (command === "HELLO" ? hello : "+OK\r\n"),
      )
      open()
      const error = await failure(driver!.send(["SET", "k", "v"]))
      expect(error).toMatchObject({ name: "NotApplied", code: "DRIVER.TIMEOUT", cause: { code: "DRIVER.PROTOCOL" } })
      expect(asked).toEqual([])
    })

  test("without an end, is given up when connecting takes too long", async () => {
    server = await startHostile(
      () => "+OK\r\n",
      ([command], socket) => {
        if (command !== "HELLO") return undefined
        socket.write("%10000000\r\n")
        return flood(socket, "+x\r\n")
      },
    )
    open({ connectTimeoutMs: 150 })
    expect(await failure(driver!.send(["GET", "k"]))).toMatchObject({ name: "NotApplied", code: "DRIVER.TIMEOUT" })
    await driver!.close()
    await until(() => server!.open() === 0)
  })

  test("a database that is selected with anything but a status is not used", async () => {
    server = await startHostile(
      () => "+OK\r\n",
      ([command]) => (command === "HELLO" ? "%1\r\n+proto\r\n:3\r\n" : "*0\r\n"),
    )
    open({ db: 3 })
    expect(await failure(driver!.send(["SET", "k", "v"]))).toMatchObject({
      name: "NotApplied",
      cause: { code: "DRIVER.PROTOCOL" },
    })
  })
})
