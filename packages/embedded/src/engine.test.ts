import { afterEach, describe, expect, it } from "vitest"
import { RespClient } from "../../../test/resp-client.ts"
import { type Engine, type StartOptions, start } from "./index.ts"

const engines: Engine[] = []

async function fresh(options?: StartOptions): Promise<Engine> {
  const engine = await start(options)
  engines.push(engine)
  return engine
}

const connect = (engine: Engine) => new RespClient(engine.connect())

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()))
})

describe("an engine", () => {
  it("answers inside the process, without a port", async () => {
    const engine = await fresh()
    const client = connect(engine)
    expect(engine.port).toBeUndefined()
    expect(engine.url).toBeUndefined()
    expect(await client.send("SET", "a", "1")).toBe("OK")
    expect(await client.send("INCR", "a")).toBe(2)
  })

  it("shows the same data through its port", async () => {
    const engine = await fresh({ port: 0 })
    const inside = connect(engine)
    const outside = await RespClient.connect(engine.port ?? 0)
    await inside.send("SET", "a", "from inside")
    expect(await outside.send("GET", "a")).toBe("from inside")
    expect(engine.url).toBe(`redis://127.0.0.1:${engine.port}`)
  })

  it("takes writes of the same tick in order, over several channels", async () => {
    const engine = await fresh()
    const [one, other] = [connect(engine), connect(engine)]
    const replies = [one.send("RPUSH", "l", "1"), other.send("RPUSH", "l", "2"), one.send("RPUSH", "l", "3")]
    await Promise.all(replies)
    expect(await other.send("LLEN", "l")).toBe(3)
  })

  it("carries bytes as they are, in large pieces", async () => {
    const client = connect(await fresh())
    const bytes = Buffer.alloc(20 << 20, "åß\0\r\n")
    await client.send("SET", "large", bytes)
    expect(Buffer.from(String(await client.send("GET", "large")), "latin1").equals(bytes)).toBe(true)
  })

  it("tells a writer to wait when it is ahead, and when to continue", async () => {
    const channel = (await fresh()).connect()
    const drained = new Promise<void>((resolve) => (channel.onDrain = resolve))
    expect(channel.write(Buffer.from("PING\r\n"))).toBe(true)
    expect(channel.write(Buffer.from(`*3\r\n$3\r\nSET\r\n$1\r\na\r\n$${8 << 20}\r\n`))).toBe(true)
    expect(channel.write(Buffer.alloc(8 << 20))).toBe(false)
    await drained
    channel.close()
  })

  it("opens and closes more connections than the server has descriptors", async () => {
    const engine = await fresh({ port: 0 })
    for (let round = 0; round < 80; round++) {
      const clients = Array.from({ length: 100 }, () => connect(engine))
      await Promise.all(clients.map((client) => client.send("PING")))
      for (const client of clients) client.close()
    }
    expect(await (await RespClient.connect(engine.port ?? 0)).send("PING")).toBe("PONG")
  })

  it("closes a channel whose client says QUIT", async () => {
    const client = connect(await fresh())
    expect(await client.send("QUIT")).toBe("OK")
    expect(await client.closed).toBeUndefined()
  })

  it("carries out nothing that comes after QUIT", async () => {
    const engine = await fresh()
    const channel = engine.connect()
    const closed = new Promise((resolve) => (channel.onClose = resolve))
    channel.write(Buffer.from("QUIT\r\n"))
    channel.onData = () => channel.write(Buffer.from("SET late 1\r\n"))
    channel.write(Buffer.from("SET late 1\r\n"))
    await closed
    expect(await connect(engine).send("EXISTS", "late")).toBe(0)
  })

  it("does not count what nobody will read as ahead", async () => {
    const engine = await fresh()
    for (let round = 0; round < 8; round++) {
      const channel = engine.connect()
      const closed = new Promise((resolve) => (channel.onClose = resolve))
      channel.write(Buffer.concat([Buffer.from("*1\r\n!not the protocol\r\n"), Buffer.alloc(2 << 20)]))
      await closed
    }
    expect(engine.connect().write(Buffer.from("PING\r\n"))).toBe(true)
  })

  it("forgets what a closed channel had begun", async () => {
    const engine = await fresh()
    const blocked = connect(engine)
    const gone = blocked.send("BLPOP", "list", "0").catch((error: unknown) => error)
    blocked.close()
    await gone
    const client = connect(engine)
    await client.send("RPUSH", "list", "kept")
    expect(await client.send("LLEN", "list")).toBe(1)
  })

  it("keeps engines apart", async () => {
    const [one, other] = [connect(await fresh()), connect(await fresh())]
    await one.send("SET", "a", "1")
    expect(await other.send("GET", "a")).toBeNull()
  })

  it("says so when a client has locked it out of its own calls", async () => {
    const locked = await start()
    const client = new RespClient(locked.connect())
    await client.pipeline([
      ["ACL", "SETUSER", "default", "off"],
      ["CLIENT", "KILL", "TYPE", "normal"],
    ])
    await expect(locked.flush()).rejects.toMatchObject({ code: "ENGINE.CALL_FAILED" })
    await expect(locked.save()).rejects.toMatchObject({ code: "ENGINE.SAVE_FAILED" })
    await expect(locked.forward("1s")).rejects.toMatchObject({ code: "ENGINE.CALL_FAILED" })
    await locked.stop()
  })

  it("flushes data and functions, and keeps connections", async () => {
    const engine = await fresh()
    const client = connect(engine)
    await client.send("SELECT", "3")
    await client.send("SET", "a", "1")
    await client.send("FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 1 end)")
    await engine.flush()
    expect(await client.send("DBSIZE")).toBe(0)
    expect(await client.send("FUNCTION", "LIST")).toEqual([])
  })
})

describe("stop", () => {
  it("closes channels with the reason, and refuses what comes after", async () => {
    const engine = await fresh({ port: 0 })
    const client = connect(engine)
    const pending = client.send("BLPOP", "list", "0").catch((error: unknown) => error)
    await engine.stop()
    expect(await client.closed).toMatchObject({ code: "ENGINE.STOPPED" })
    expect(await pending).toMatchObject({ code: "ENGINE.STOPPED" })
    expect(await connect(engine).closed).toMatchObject({ code: "ENGINE.STOPPED" })
    await expect(engine.flush()).rejects.toMatchObject({ code: "ENGINE.STOPPED" })
    await expect(RespClient.connect(engine.port ?? 0)).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })

  it("may be called twice", async () => {
    const engine = await fresh()
    await Promise.all([engine.stop(), engine.stop()])
    await engine.stop()
  })
})

describe("start", () => {
  it("refuses options that it cannot act on", async () => {
    await expect(start({ port: 70_000 })).rejects.toMatchObject({ code: "ENGINE.BAD_OPTION" })
    await expect(start({ patienceMs: 0 })).rejects.toMatchObject({ code: "ENGINE.BAD_OPTION" })
    await expect(start({ saveEveryMs: Number.NaN })).rejects.toMatchObject({ code: "ENGINE.BAD_OPTION" })
  })

  it("says when the port is taken", async () => {
    const { port } = await fresh({ port: 0 })
    await expect(start({ port: port ?? 0 })).rejects.toMatchObject({ code: "ENGINE.PORT_TAKEN" })
  })

  it("passes the server's log on when asked", async () => {
    const lines: string[] = []
    await fresh({ log: (line) => lines.push(line) })
    expect(lines.join("\n")).toContain("Ready to accept connections")
  })
})

describe("what cannot work in one process", () => {
  it.each([["BGSAVE"], ["BGREWRITEAOF"], ["REPLICAOF", "127.0.0.1", "6379"], ["SLAVEOF", "127.0.0.1", "6379"]])(
    "%s is refused by name",
    async (...command) => {
      const reply = await connect(await fresh()).send(...command)
      expect(reply).toMatchObject({
        message: expect.stringMatching(/^NOPERM .*'(bgsave|bgrewriteaof|replicaof|slaveof)'/),
      })
    },
  )

  it.each([
    [["CLUSTER", "INFO"], "cluster support disabled"],
    [["DEBUG", "SLEEP", "1"], "DEBUG command not allowed"],
    [["MODULE", "LOAD", "x.so"], "MODULE command not allowed"],
    [["CONFIG", "SET", "appendonly", "yes"], "Unable to turn on AOF"],
    [["CONFIG", "SET", "dir", "/tmp"], "can't set protected config"],
    [["CONFIG", "REWRITE"], "without a config file"],
  ])("%j is answered with an error", async (command, message) => {
    expect(await connect(await fresh()).send(...command)).toMatchObject({ message: expect.stringContaining(message) })
  })
})
