/* What every engine does, whatever it is made of: the behaviour behind `EngineLike`.
 * Another build of the embedded engine, or another engine in its place, has to pass
 * this before anything else is looked at. */

import { describe, expect, it } from "vitest"
import { RespClient } from "../../../../test/resp-client.ts"
import type { EngineLike } from "./embedded.ts"

export interface ConformingEngine extends EngineLike {
  flush(): Promise<void>
  stop(): Promise<void>
}

const PIECE = Buffer.alloc(1 << 20, "åß\0\r\n")

export function engineConformance(name: string, start: () => Promise<ConformingEngine>): void {
  describe(`${name} is an engine`, () => {
    /** Runs a test on a separate engine. */
    const on = (test: (engine: ConformingEngine, open: () => Promise<RespClient>) => Promise<void>) => async () => {
      const engine = await start()
      try {
        await test(engine, async () => new RespClient(await engine.connect()))
      } finally {
        await engine.stop()
      }
    }

    it(
      "that keeps what it is told, bytes as they are",
      on(async (_, open) => {
        const [one, other] = [await open(), await open()]
        expect(await one.send("SET", "a", PIECE)).toBe("OK")
        expect(Buffer.from(String(await other.send("GET", "a")), "latin1").equals(PIECE)).toBe(true)
        expect(await one.send("NOSUCHCOMMAND")).toMatchObject({
          message: expect.stringMatching(/^ERR unknown command/),
        })
      }),
    )

    it(
      "that answers in the order of the calls, and shows all that was answered",
      on(async (_, open) => {
        const clients = await Promise.all(Array.from({ length: 5 }, open))
        for (let round = 0; round < 50; round++) {
          await clients[round % 5]?.send("SET", "k", round)
          expect(await clients[(round + 2) % 5]?.send("GET", "k")).toBe(String(round))
        }
        const replies = await clients[0]?.pipeline(Array.from({ length: 1000 }, () => ["INCR", "n"]))
        expect(replies).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1))
      }),
    )

    it(
      "with scripts, functions, transactions, streams and blocking calls",
      on(async (_, open) => {
        const [client, waiter] = [await open(), await open()]
        expect(
          await client.send("EVAL", "return cjson.encode({ redis.call('INCR', KEYS[1]), ARGV[1] })", "1", "n", "x"),
        ).toBe('[1,"x"]')
        await client.send("FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 7 end)")
        expect(await client.send("FCALL", "f", "0")).toBe(7)
        expect((await client.pipeline([["MULTI"], ["INCR", "n"], ["EXEC"]])).at(-1)).toEqual([2])
        expect(await client.send("XADD", "s", "1-1", "f", "v")).toBe("1-1")
        const popped = waiter.send("BLPOP", "list", "0")
        await client.send("RPUSH", "list", "x")
        expect(await popped).toEqual(["list", "x"])
      }),
    )

    it(
      "that publishes, also the events of keys",
      on(async (_, open) => {
        const [client, listener] = [await open(), await open()]
        await client.send("CONFIG", "SET", "notify-keyspace-events", "KEA")
        await listener.send("SUBSCRIBE", "__keyevent@0__:set")
        const heard = new Promise((resolve) => (listener.onPush = resolve))
        await client.send("SET", "session", "1")
        expect(await heard).toEqual(["message", "__keyevent@0__:set", "session"])
      }),
    )

    it(
      "that tells connections apart, and closes one without the others",
      on(async (_, open) => {
        const [client, victim] = [await open(), await open()]
        const id = await victim.send("CLIENT", "ID")
        expect(await client.send("CLIENT", "KILL", "ID", String(id))).toBe(1)
        await victim.closed
        expect(await client.send("PING")).toBe("PONG")
        expect(await (await open()).send("QUIT")).toBe("OK")
      }),
    )

    it(
      "whose slow scripts leave others with BUSY, and can be ended",
      on(async (_, open) => {
        const [client, runner] = [await open(), await open()]
        await client.send("CONFIG", "SET", "busy-reply-threshold", "20")
        const running = runner.send("EVAL", "while true do end", "0")
        let reply: unknown = "PONG"
        while (reply === "PONG") reply = await client.send("PING")
        expect(reply).toMatchObject({ message: expect.stringMatching(/^BUSY/) })
        expect(await client.send("SCRIPT", "KILL")).toBe("OK")
        expect(await running).toMatchObject({ message: expect.stringContaining("killed by user") })
      }),
    )

    it(
      "whose memory has a limit that is an error, not an end",
      on(async (_, open) => {
        const client = await open()
        await client.send("CONFIG", "SET", "maxmemory", "20mb")
        let reply: unknown = "OK"
        for (let count = 0; reply === "OK"; count++) reply = await client.send("SET", `v${count}`, PIECE)
        expect(reply).toMatchObject({ message: expect.stringMatching(/^OOM/) })
        expect(await client.send("STRLEN", "v0")).toBe(PIECE.length)
      }),
    )

    it(
      "that forgets everything when it is told to, and keeps connections",
      on(async (engine, open) => {
        const client = await open()
        await client.send("SET", "a", "1")
        await client.send("FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 1 end)")
        await engine.flush()
        expect(await client.send("DBSIZE")).toBe(0)
        expect(await client.send("FUNCTION", "LIST")).toEqual([])
      }),
    )

    it("that ends its connections when it is stopped", async () => {
      const engine = await start()
      const client = new RespClient(await engine.connect())
      const pending = client.send("BLPOP", "list", "0").catch((error: unknown) => error)
      await engine.stop()
      expect(await pending).toBeInstanceOf(Error)
      await client.closed
    })
  })
}
