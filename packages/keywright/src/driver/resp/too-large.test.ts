/* Replies that are larger than what was asked for can be: they are refused before they come. */

import { afterEach, describe, expect, test } from "vitest"
import { type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import { leaseTakeScript } from "../../client/lua/index.ts"
import { keyWrite } from "../../client/kinds/key-write.ts"
import { stepScriptOf } from "../../client/steps/step-script.ts"
import { int } from "../../schema/codec/number.ts"
import { type Step, step } from "../../schema/step.ts"
import type { Driver, Reply, Transport } from "../driver.ts"
import { Call } from "./call.ts"
import { Link } from "./link.ts"
import { openResp, type RespOptions } from "./open-resp.ts"

let server: HostileServer | undefined
let driver: Driver | undefined
afterEach(async () => {
  await driver?.close()
  await server?.close()
})

const open = (options: RespOptions = {}): Driver => (driver = openResp(server!.url, { timeoutMs: 20_000, ...options }))
const failure = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)
const takingStep = stepScriptOf("take", step({ script: "-- KEYS k\nreturn 1", keys: ["k"], returns: int }) as Step)

describe("a reply that is larger than the command can have", () => {
  const LONG: Readonly<Record<string, readonly [command: readonly string[], reply: string]>> = {
    "a string instead of a number": [["DBSIZE"], "$65537\r\n"],
    "a list instead of a time to live": [["PTTL", "a"], "*3000\r\n"],
    "a status": [["TYPE", "a"], "$100000\r\n"],
    "a report": [["INFO"], "$17000000\r\n"],
    "a list of nodes": [["CLUSTER", "SLOTS"], "*3000000\r\n"],
    "a value instead of OK": [["SET", "a", "GET", "PX", "1"], "$70000\r\n"],
    "more of a value than was asked for": [["GETRANGE", "a", "0", "99999"], "$100001\r\n"],
    "more elements than members": [["SMISMEMBER", "a", "b", "c"], "*3000\r\n"],
  }
  for (const [what, [command, reply]] of Object.entries(LONG))
    test(`${what}: is refused before it comes, and the call is not sent again`, async () => {
      let asked = 0
      server = await startHostile(([name]) => {
        if (name === command[0]) asked++
        return name === command[0] ? reply : "+OK\r\n"
      })
      open()
      const error = await failure(driver!.send(command, { safe: true }))
      expect(error).toMatchObject({
        code: "DRIVER.REPLY_TOO_LARGE",
        fix: expect.stringContaining("check what listens"),
      })
      expect(asked).toBe(1)
      expect(await driver!.send(["OTHER"])).toBe("OK")
    })

  for (const [what, call, replies] of [
    ["a script that returns a number", () => driver!.run(leaseTakeScript, ["k"], ["t", "1", "0"]), ["$70000\r\n"]],
    ["a step that returns a number", () => driver!.run(takingStep, ["k"], []), ["$70000\r\n"]],
    [
      "a write with an operation id",
      () => driver!.run(keyWrite, ["k", "op"], ["9", "2", "INCRBY", "1"]),
      ["$70000\r\n"],
    ],
    ["the beginning of a transaction", () => driver!.multi([["GET", "k"]]), ["$70000\r\n"]],
    ["a queued command", () => driver!.multi([["GET", "k"]]), ["+OK\r\n", "$70000\r\n"]],
    ["a transaction", () => driver!.multi([["INCR", "k"]]), ["+OK\r\n", "+QUEUED\r\n", "*1\r\n$200000\r\n"]],
  ] as const)
    test(`by ${what}: is refused before it comes`, async () => {
      let at = 0
      server = await startHostile(([name]) => (name === "OTHER" ? "+OK\r\n" : replies[at++]))
      open()
      expect(await failure(call() as Promise<unknown>)).toMatchObject({ code: "DRIVER.REPLY_TOO_LARGE" })
      expect(await driver!.send(["OTHER"])).toBe("OK")
    })

  test("is read where values were asked for", async () => {
    const value = "a".repeat(200_000)
    const bulk = `$200000\r\n${value}\r\n`
    const inMulti: Readonly<Record<string, string>> = { MULTI: "+OK\r\n", GET: "+QUEUED\r\n", EXEC: `*1\r\n${bulk}` }
    server = await startHostile(([name]) => inMulti[name!] ?? bulk)
    open()
    expect(await driver!.send(["SET", "k", "v", "get"])).toBe(value)
    expect(await driver!.send(["GETRANGE", "k", "0", "-1"])).toBe(value)
    expect(await driver!.run(keyWrite, ["k", "op"], ["9", "1", "GETDEL"])).toBe(value)
    expect(await driver!.multi([["GET", "k"]])).toEqual([value])
  })

  test("in a batch: each reply is measured by its own command, and the batch is not sent again", async () => {
    let asked = 0
    server = await startHostile(([name]) => {
      if (name === "DBSIZE") asked++
      return name === "GET" ? `$70000\r\n${"a".repeat(70_000)}\r\n` : name === "DBSIZE" ? "$70000\r\n" : "+OK\r\n"
    })
    open()
    expect(await driver!.batch([["GET", "a"], ["OTHER"]], { safe: true })).toEqual(["a".repeat(70_000), "OK"])
    const error = await failure(driver!.batch([["GET", "a"], ["DBSIZE"]], { safe: true }))
    expect(error).toMatchObject({ code: "DRIVER.REPLY_TOO_LARGE", fix: expect.stringContaining("check what listens") })
    expect(asked).toBe(1)
  })

  test("than a connection allows: the call is not sent again, but those behind it are", async () => {
    let asked = 0
    server = await startHostile(([name]) => {
      if (name === "ZSCAN") asked++
      return name === "ZSCAN" ? `*1000\r\n${`$4000\r\n${"a".repeat(4000)}\r\n`.repeat(1000)}` : "+OK\r\n"
    })
    open({ replyBytes: 1_000_000 })
    const [broken, behind] = await Promise.all([
      failure(driver!.send(["ZSCAN", "a", "0"], { safe: true })),
      driver!.send(["OTHER"], { safe: true }),
    ])
    expect(broken).toMatchObject({ code: "DRIVER.REPLY_TOO_LARGE", fix: expect.stringContaining("raise `replyBytes`") })
    expect(behind).toBe("OK")
    expect(asked).toBe(1)
  })
})

describe("a text that is longer than a text can be", () => {
  test("fails the call that asked for it, and neither the connection nor the calls behind it", () => {
    const transport = { write: () => true, close: () => undefined } as unknown as Transport
    const answers: Reply[] = []
    const owner = {
      label: "a server",
      onAnswer: (_: Call, reply: Reply) => void answers.push(reply),
      onRoom: () => undefined,
      onEnd: () => expect.unreachable(),
    }
    const link = new Link(transport, owner, { textBytes: 4 })
    const ask = (bytes: boolean) =>
      link.add(
        new Call(
          "one",
          ["GET", "k"],
          undefined,
          undefined,
          { bytes },
          Infinity,
          () => {},
          () => {},
        ),
      )
    for (const bytes of [false, true, false]) ask(bytes)
    for (const part of ["$5\r\nhel", "lo\r\n$5\r\nhello\r\n$4\r\nfour\r\n"]) transport.onData(Buffer.from(part))
    expect(answers).toEqual([
      expect.objectContaining({ code: "DRIVER.REPLY_TOO_LARGE", details: { most: 4 } }),
      Buffer.from("hello"),
      "four",
    ])
  })
})
