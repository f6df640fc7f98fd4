/* A TCP proxy in front of a server that stops at a chosen step: the n-th request is not
 * passed on, or the reply to it is not. A process that is killed then has done exactly
 * what the server has seen. Requests are counted by what arrives at once. */

import net from "node:net"

export interface HoldingProxy {
  /** `"redis://127.0.0.1:49152"` */
  readonly url: string
  /** Counts from 0 on. */
  count(): void
  readonly counted: number
  /** From now on, holds on at the n-th request; resolves when it does. Nothing passes any more then. */
  hold(n: number, when: "request" | "reply"): Promise<void>
  /** What was held is dropped with its connection; others pass again. */
  release(): void
  close(): Promise<void>
}

export function startHoldingProxy(serverPort: number): Promise<HoldingProxy> {
  const sockets = new Set<net.Socket>()
  let [counted, limit, isHolding] = [0, Infinity, false]
  let at: "request" | "reply" = "request"
  let held: () => void = () => {}

  const listener = net.createServer((client) => {
    const server = net.connect(serverPort, "127.0.0.1")
    let isAwaited = false
    const end = () => {
      for (const socket of [client, server]) {
        sockets.delete(socket)
        socket.destroy()
      }
    }
    client.on("data", (bytes) => {
      if (isHolding) return
      counted += 1
      if (counted === limit && at === "request") {
        isHolding = true
        return held()
      }
      if (counted === limit) isAwaited = true
      server.write(bytes)
    })
    server.on("data", (bytes) => {
      if (isAwaited) {
        isHolding = true
        return held()
      }
      if (!isHolding) client.write(bytes)
    })
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on("error", end).on("close", end).setNoDelay(true)
    }
  })

  return new Promise((resolve) => {
    listener.listen(0, "127.0.0.1", () => {
      const { port } = listener.address() as net.AddressInfo
      resolve({
        url: `redis://127.0.0.1:${port}`,
        count: () => void (counted = 0),
        get counted() {
          return counted
        },
        hold(n, when) {
          ;[counted, limit, at, isHolding] = [0, n, when, false]
          return new Promise((done) => (held = done))
        },
        release() {
          ;[limit, isHolding] = [Infinity, false]
        },
        close() {
          for (const socket of sockets) socket.destroy()
          return new Promise((done) => listener.close(() => done()))
        },
      })
    })
  })
}
