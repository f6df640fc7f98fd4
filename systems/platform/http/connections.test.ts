/* Clients that are slow on purpose, in each way that there is. The deadlines are those of
 * the server, made short; what is asserted is that it ended, and what is still served. */

import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { listen, type Listening, type ListenOptions } from "./listen.ts"
import { lookAtReaders } from "./unread-answers.ts"

const SHORT = { headersMs: 150, requestMs: 300, stalledMs: 150, lingerMs: 50, checkMs: 30, unreadMs: 30 }
const HUGE = "x".repeat(64 * 1024 * 1024)
const LARGE = HUGE.slice(0, 16 * 1024 * 1024)

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** Bytes of the process. */
const used = () => {
  collect()
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
}

let server: Listening | undefined
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
})

async function serve(mostConnections?: number, more: Partial<ListenOptions> = {}): Promise<number> {
  const answer = async (request: Request) => {
    const { pathname } = new URL(request.url)
    if (pathname === "/late" || pathname === "/echo") await new Promise((resolve) => setTimeout(resolve, 500))
    const text = request.method === "POST" ? await request.text() : ""
    if (pathname === "/echo") return new Response(text)
    return new Response(pathname === "/huge" ? HUGE : pathname === "/large" ? LARGE : "{}")
  }
  server = await listen(
    { fetch: answer as never },
    {
      port: 0,
      host: "127.0.0.1",
      patience: SHORT,
      ...(mostConnections !== undefined && { mostConnections }),
      ...more,
    },
  )
  return server.port
}

/** A client that never closes and, unless it `reads`, never reads. */
function client(
  port: number,
  says: string,
  reads = true,
  localAddress = "127.0.0.1",
): { socket: Socket; heard: () => string; ended: Promise<void> } {
  const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true })
  sockets.push(socket)
  let heard = ""
  socket.write(says)
  if (reads) socket.on("data", (part) => (heard += part.toString()))
  const ended = new Promise<void>((resolve) => {
    socket.on("error", () => resolve())
    socket.on("close", () => resolve())
    socket.on("end", () => resolve())
  })
  return { socket, heard: () => heard, ended }
}

describe("slow clients", () => {
  it.each([
    ["say nothing", ""],
    ["stop in the request line", "GET /a"],
    ["stop in the headers", "GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n"],
    ["stop before the body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n"],
    ["stop in the body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{"],
    ["stop in a chunk", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"],
    ["stop in a second request", "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT"],
  ])("are cut off when they %s", async (_, says) => {
    const port = await serve()
    const all = Array.from({ length: 20 }, () => client(port, says))
    await Promise.all(all.map(({ ended }) => ended))
    // A half-open client shows whether the other side is really gone: what it sends is refused.
    await expect.poll(() => Promise.all(all.map(({ socket }) => isGone(socket)))).not.toContain(false)
  })

  it("are cut off when they send nothing but line ends after an answer", async () => {
    const { socket, heard, ended } = client(await serve(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    const sending = setInterval(() => socket.writable && socket.write("\r\n"), 20)
    await ended
    clearInterval(sending)
    expect(heard()).toContain("200 OK")
  })

  it("are cut off when they do not read what they asked for", async () => {
    const port = await serve()
    const all = Array.from({ length: 3 }, () => client(port, "GET /huge HTTP/1.1\r\nHost: a\r\n\r\n", false))
    await expect
      .poll(() => Promise.all(all.map(({ socket }) => isGone(socket))), { timeout: 5000 })
      .not.toContain(false)
  })

  it.each([
    ["one each, on many connections", 6, 1],
    ["many at once, on a few connections", 2, 6],
  ])("are cut off when too much waits for them together: %s", async (_, connections, times) => {
    // They have time: a client that reads a byte now and then is never given up for reading nothing.
    const port = await serve(undefined, { mostUnread: LARGE.length, patience: { ...SHORT, stalledMs: 60_000 } })
    const says = "GET /large HTTP/1.1\r\nHost: a\r\n\r\n".repeat(times)
    const all = Array.from({ length: connections }, () => client(port, says, false))
    const gone = async () => (await Promise.all(all.map(({ socket }) => isGone(socket)))).filter(Boolean).length
    await expect.poll(gone, { timeout: 10_000 }).toBeGreaterThanOrEqual(connections - 1)
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    expect((await (await fetch(`http://127.0.0.1:${port}/large`)).text()).length).toBe(LARGE.length)
  })

  it("are cut off by how much waits, and for how long, until little enough is left", () => {
    const reader = (bytes: number, waited: number) => ({ answers: new Set([{ writableLength: bytes }]), waited })
    const [idle, fresh, old, large, slow] = [reader(0, 9), reader(40, 0), reader(20, 9), reader(50, 4), reader(5, 30)]
    const readers = [idle, fresh, old, large, slow]
    expect(lookAtReaders(readers, 115)).toEqual([])
    expect(readers.map(({ waited }) => waited)).toEqual([0, 1, 10, 5, 31])
    expect(lookAtReaders(readers, 114)).toEqual([large])
    expect(lookAtReaders(readers, 50)).toEqual([large, old])
    expect(lookAtReaders([idle, large], 10)).toEqual([])
  })

  it("are cut off when they send more requests at once than anybody waits for", async () => {
    const port = await serve()
    const last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    const few = client(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(9) + last)
    await few.ended
    expect(few.heard().match(/HTTP\/1\.1 200/g)).toHaveLength(10)
    const many = client(port, "GET /late HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000))
    await many.ended
    expect(many.heard()).toBe("")
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })

  it("have one request at work at a time, however many they send ahead, and are answered in their order", async () => {
    let [atWork, most] = [0, 0]
    const fetch = async (request: Request) => {
      most = Math.max(most, ++atWork)
      await new Promise((resolve) => setTimeout(resolve, 5))
      atWork -= 1
      return new Response(`[${new URL(request.url).pathname} ${await request.text()}]`)
    }
    server = await listen({ fetch: fetch as never }, { port: 0, host: "127.0.0.1" })
    const post = (n: number) => `POST /${n} HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n${n}`
    const last = "GET /9 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    const { heard, ended } = client(server.port, [1, 2, 3, 4].map(post).join("") + last)
    await ended
    expect(heard().match(/\[.*?\]/g)).toEqual(["[/1 1]", "[/2 2]", "[/3 3]", "[/4 4]", "[/9 ]"])
    expect(most).toBe(1)
  })

  describe("that ask for what is answered at once", () => {
    /** How many requests were served in each turn of the event loop, each of which takes 1 ms. */
    const served = new Map<number, number>()
    let turn = 0
    let ticking = true
    const tick = () => {
      turn++
      if (ticking) setImmediate(tick)
    }
    beforeEach(async () => {
      served.clear()
      ticking = true
      tick()
      const fetch = (request: Request) => {
        const { pathname } = new URL(request.url)
        if (pathname === "/") return new Response("{}")
        served.set(turn, (served.get(turn) ?? 0) + 1)
        for (const end = performance.now() + 1; performance.now() < end;);
        return new Response("{}")
      }
      server = await listen({ fetch: fetch as never }, { port: 0, host: "127.0.0.1" })
    })
    afterEach(() => (ticking = false))
    const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
    const total = () => [...served.values()].reduce((sum, number) => sum + number, 0)
    /** Three begin within two milliseconds; twice, where the turn is counted between them. */
    const mostInOneTurn = 6

    it("do not have all that they send ahead served in one turn", async () => {
      const says = get("/") + get("/ahead").repeat(8) + get("/", "Connection: close\r\n")
      const all = Array.from({ length: 10 }, () => client(server!.port, says))
      await Promise.all(all.map(({ ended }) => ended))
      expect(total()).toBe(80)
      expect(Math.max(...served.values())).toBeLessThanOrEqual(mostInOneTurn)
    })

    /** Connections that have been answered once. */
    const fortyConnections = () =>
      Promise.all(
        Array.from({ length: 40 }, async () => {
          const socket = connect(server!.port, "127.0.0.1")
          sockets.push(socket)
          socket.write(get("/"))
          await once(socket, "data")
          return socket
        }),
      )
    /** How many requests were served when 40 connections asked at the same time. */
    const askTogether = async (beside: () => void): Promise<number> => {
      const asking = await fortyConnections()
      const answered = asking.map((socket) => once(socket, "data"))
      for (const socket of asking) socket.write(get("/again"))
      beside()
      await Promise.all(answered)
      return total()
    }

    it("are not all served in one turn when they ask at the same time", async () => {
      expect(await askTogether(() => {})).toBe(40)
      expect(Math.max(...served.values())).toBeLessThanOrEqual(mostInOneTurn)
    })

    it("keep the other clients of a proxy waiting for one request each", async () => {
      await server?.close()
      const order: string[] = []
      const fetch = (request: Request) => {
        const name = new URL(request.url).pathname
        if (name !== "/") order.push(name)
        for (const end = performance.now() + 1; performance.now() < end;);
        return new Response("{}")
      }
      server = await listen({ fetch: fetch as never }, { port: 0, host: "127.0.0.1", behindProxy: true })
      const all = await fortyConnections()
      const answered = all.map((socket) => once(socket, "data"))
      for (const [i, socket] of all.entries())
        socket.write(get(i === 39 ? "/other" : "/many", `X-Forwarded-For: 8.8.8.${i === 39 ? 9 : 8}\r\n`))
      await Promise.all(answered)
      expect(order).toHaveLength(40)
      expect(order.indexOf("/other")).toBeLessThan(39)
    })

    const chunks = `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(10_000)}0\r\n\r\n`
    /** In which turns of the event loop something happened, and how often. */
    const turnsOf = async (channel: string, work: () => Promise<unknown>): Promise<Map<number, number>> => {
      const times = new Map<number, number>()
      const count = () => void times.set(turn, (times.get(turn) ?? 0) + 1)
      subscribe(channel, count)
      try {
        await work()
      } finally {
        unsubscribe(channel, count)
      }
      return times
    }

    it("wait while others connect, most of the time", async () => {
      const others = () => sockets.push(...Array.from({ length: 100 }, () => connect(server!.port, "127.0.0.1")))
      const accepted = await turnsOf("net.server.socket", async () => expect(await askTogether(others)).toBe(40))
      const meanwhile = [...served].filter(([at]) => accepted.has(at) && accepted.has(at + 1))
      expect(meanwhile.length).toBeLessThan(accepted.size / 4)
    })

    it("are read when the others behind them have been accepted, and not as they connect", async () => {
      let accepted: ReadonlyMap<number, number> = new Map()
      const read = await turnsOf("http.server.request.start", async () => {
        accepted = await turnsOf("net.server.socket", () => {
          const all = Array.from({ length: 60 }, () => client(server!.port, chunks).socket)
          return Promise.all(all.map((socket) => once(socket, "data")))
        })
      })
      const last = Math.max(...accepted.keys())
      expect([...read].filter(([at]) => at < last).length).toBeLessThan(30)
    })

    it("are not all read in one turn when each sends ten thousand chunks at the same time", async () => {
      const all = await fortyConnections()
      const begun = await turnsOf("http.server.request.start", () => {
        for (const socket of all) socket.write(chunks)
        return Promise.all(all.map((socket) => once(socket, "data")))
      })
      expect(Math.max(...begun.values())).toBeLessThan(30)
    })
  })

  it("have nothing more made into requests when they sent too many at once", async () => {
    const port = await serve()
    let made = 0
    const count = () => void (made += 1)
    subscribe("http.server.request.start", count)
    try {
      await client(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2000)).ended
    } finally {
      unsubscribe("http.server.request.start", count)
    }
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(20)
  })

  it.each([
    ["headers", "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(13_000) + "\r\n\r\n"],
    ["many short headers", "GET / HTTP/1.1\r\nHost: a\r\n" + "a:\r\n".repeat(49) + "\r\n"],
    ["bodies", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 13000\r\n\r\n" + "x".repeat(13_000)],
  ])("are cut off when they send more bytes of %s ahead than are kept for them", async (_, says) => {
    const port = await serve()
    const late = "GET /late HTTP/1.1\r\nHost: a\r\n\r\n"
    const much = client(port, late + says.repeat(6))
    await much.ended
    expect(much.heard()).toBe("")
    const less = client(port, late + says.repeat(4))
    await expect.poll(() => less.heard().match(/HTTP\/1\.1 200/g)?.length, { timeout: 5000 }).toBe(5)
  })

  it("are cut off when they send two bodies in chunks ahead, whose trailers would be kept", async () => {
    const port = await serve()
    const late = "GET /late HTTP/1.1\r\nHost: a\r\n\r\n"
    const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
    const says = `${chunked}${"a: b\r\n".repeat(100)}\r\n`
    const two = client(port, late + says.repeat(2))
    await two.ended
    expect(two.heard()).toBe("")
    const one = client(port, late + says)
    await one.ended
    expect(one.heard().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 411"])
  })

  it("cannot have chunks kept behind a request that is not answered yet", async () => {
    const port = await serve(undefined, {
      patience: { ...SHORT, headersMs: 10_000, requestMs: 10_000, stalledMs: 10_000 },
    })
    const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    const before = used()
    const all = Array.from({ length: 20 }, () =>
      client(port, `GET /late HTTP/1.1\r\nHost: a\r\n\r\n${chunked}${"1\r\nx\r\n".repeat(15_000)}`),
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(used() - before).toBeLessThan(30 * 1024 * 1024)
    for (const { socket } of all) socket.write("0\r\n\r\n")
    await Promise.all(all.map(({ ended }) => ended))
    for (const { heard } of all) expect(heard().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 411"])
    const alone = client(port, `${chunked}1\r\nx\r\n0\r\n\r\n`)
    await expect.poll(alone.heard).toContain("HTTP/1.1 200")
  })

  it("cannot have chunks kept with a request that has no use for a body", async () => {
    const port = await serve(undefined, {
      patience: { ...SHORT, headersMs: 10_000, requestMs: 10_000, stalledMs: 10_000 },
    })
    const before = used()
    const chunks = `${"1\r\nx\r\n".repeat(15_000)}0\r\n\r\n`
    const all = Array.from({ length: 20 }, () =>
      client(port, `GET /late HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`),
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(used() - before).toBeLessThan(30 * 1024 * 1024)
    for (const { heard } of all) await expect.poll(heard).toContain("HTTP/1.1 200")
  })

  it("cannot have chunks kept while their request waits, which then gets all of them", async () => {
    const port = await serve(undefined, {
      patience: { ...SHORT, headersMs: 10_000, requestMs: 10_000, stalledMs: 10_000 },
    })
    const before = used()
    const chunks = "1\r\nx\r\n".repeat(10_000) + `1388\r\n${"y".repeat(5000)}\r\n1\r\nz\r\n0\r\n\r\n`
    const all = Array.from({ length: 20 }, () =>
      client(port, `POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`),
    )
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(used() - before).toBeLessThan(10 * 1024 * 1024)
    for (const { heard } of all)
      await expect.poll(heard, { timeout: 5000 }).toContain("x".repeat(10_000) + "y".repeat(5000) + "z")
  })

  it("make room for others when there are too many, and requests that are being served stay", async () => {
    const port = await serve(10)
    const late = client(port, "GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    await fetch(`http://127.0.0.1:${port}/`)
    const idle = Array.from({ length: 30 }, () => client(port, "GET / HT"))
    const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(`http://127.0.0.1:${port}/`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    await late.ended
    expect(late.heard()).toContain("HTTP/1.1 200 ")
    await Promise.all(idle.map(({ ended }) => ended))
  })

  it("whose requests all wait make room for another address, which they do not push out again", async () => {
    const port = await serve(10, { patience: { ...SHORT, headersMs: 10_000, requestMs: 10_000, stalledMs: 10_000 } })
    const says = "GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    const ask = () => client(port, says)
    const seen = { "http.server.request.start": 0, "net.server.socket": 0 }
    const count = (_: unknown, channel: string | symbol) => void seen[channel as keyof typeof seen]++
    for (const channel of Object.keys(seen)) subscribe(channel, count)
    const many = Array.from({ length: 10 }, ask)
    await expect.poll(() => seen["http.server.request.start"], { interval: 5 }).toBe(10)
    // It says nothing yet: the oldest that is not being served.
    const other = client(port, "", true, "127.0.0.2")
    await expect.poll(() => seen["net.server.socket"], { interval: 5 }).toBe(11)
    const more = Array.from({ length: 10 }, ask)
    await expect.poll(() => seen["net.server.socket"], { interval: 5 }).toBe(21)
    for (const channel of Object.keys(seen)) unsubscribe(channel, count)
    other.socket.write(says)
    await Promise.all([other, ...many, ...more].map(({ ended }) => ended))
    expect(other.heard()).toContain("HTTP/1.1 200 ")
    const served = (some: readonly ReturnType<typeof client>[]) => some.map(({ heard }) => heard().length > 0)
    expect(served(many)).toEqual([...Array(9).fill(true), false])
    expect(served(more)).not.toContain(true)
  })

  it("do not shorten the time that a handler has", async () => {
    const port = await serve()
    const late = client(port, "GET /late HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    await late.ended
    expect(late.heard()).toContain("HTTP/1.1 200 ")
  })
})

/** Whether the other side has let go of it altogether: then writing fails. */
const isGone = (socket: Socket): Promise<boolean> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve(true)
    else socket.write("x", (error) => resolve(error !== undefined && error !== null))
  })
