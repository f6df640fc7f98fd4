/* Announcements of sentinels: which of them are hints, from a sentinel that says anything. */

import type net from "node:net"
import { afterEach, expect, test } from "vitest"
import { bulk, list } from "../../../../../test/fake-nodes.ts"
import { type HostileServer, startHostile } from "../../../../../test/hostile-server.ts"
import { dialSocket } from "../resp/dial.ts"
import { sentinelConnection } from "./connection.cases.ts"
import { Switches } from "./switches.ts"

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const announced = (text: string, channel = "+switch-master") => list(bulk("message"), bulk(channel), bulk(text))
const confirmed = list(bulk("subscribe"), bulk("+switch-master"), ":1\r\n")

/** Sentinels that confirm and then say this, and how many hints that makes of the service "main". */
async function hearing(...said: string[][]) {
  const sentinels: HostileServer[] = []
  const sockets: net.Socket[] = []
  for (const words of said) {
    const sentinel = await startHostile(([name], socket) => {
      if (name !== "SUBSCRIBE") return "+PONG\r\n"
      sockets.push(socket)
      return [confirmed, ...words].join("")
    })
    ends.push(() => sentinel.close())
    sentinels.push(sentinel)
  }
  const heard = { hints: 0 }
  const switches = new Switches({
    service: "main",
    sentinels: () => sentinels.map(({ url }) => ({ host: "127.0.0.1", port: Number(new URL(url).port) })),
    dial: ({ host, port }) => dialSocket({ host, port, path: undefined, tls: false }),
    connection: sentinelConnection,
    onHint: () => heard.hints++,
  })
  ends.push(() => switches.close())
  return { heard, sockets, sentinels, switches }
}

const END = announced("main 127.0.0.1 1 127.0.0.1 2")

test("only those of its own service are hints, whatever else is said", async () => {
  const { heard } = await hearing([
    announced("other 127.0.0.1 1 127.0.0.1 2"),
    announced("main2 127.0.0.1 1 127.0.0.1 2"),
    announced("main"),
    announced(""),
    announced("main 127.0.0.1 1 127.0.0.1 2", "+sdown"),
    list(bulk("message"), bulk("+switch-master"), "*0\r\n"),
    "+main a 1 b 2\r\n",
    END,
  ])
  await expect.poll(() => heard.hints).toBe(1)
})

test("up to three sentinels are listened to", async () => {
  const { heard, sentinels } = await hearing([END], [END], [END], [END], [END])
  await expect.poll(() => heard.hints).toBe(3)
  expect(sentinels.map(({ opened }) => opened())).toEqual([1, 1, 1, 0, 0])
})

test("one that is lost is replaced by the next, and what may have been missed is a hint", async () => {
  const { heard, sentinels, sockets } = await hearing([])
  await expect.poll(() => sockets.length).toBe(1)
  expect(heard.hints).toBe(0)
  sockets[0]!.destroy()
  await expect.poll(() => heard.hints).toBe(1)
  expect(sentinels[0]!.opened()).toBe(2)
})

test("closing ends every connection", async () => {
  const { sentinels, sockets, switches } = await hearing([], [])
  await expect.poll(() => sockets.length).toBe(2)
  switches.close()
  await expect.poll(() => sentinels.map(({ open }) => open())).toEqual([0, 0])
})
