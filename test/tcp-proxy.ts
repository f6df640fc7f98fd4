/* A real TCP proxy in front of a server, for faults: it cuts a connection after a number
 * of bytes of a request or of a reply, delays, resets, falls silent, refuses new
 * connections, and goes away. A cut is armed once, counts the bytes from then on, and is
 * gone when it has happened. */

import net from "node:net"

export interface Proxy {
  readonly port: number
  /** `"redis://127.0.0.1:49152"` */
  readonly url: string
  /** Lets this many more bytes through to the server, then ends the connection. */
  cutRequestAfter(bytes: number): void
  /** Lets this many more bytes through to the client, then ends the connection. */
  cutReplyAfter(bytes: number): void
  /** Ends all connections at once, with a reset instead of a goodbye. */
  reset(): void
  /** Replies wait so long; 0 for no more. */
  delayReplies(ms: number): void
  /** New connections go to another server from now on. */
  leadTo(serverPort: number): void
  /** Half-open: connections stay, and nothing passes on them any more, in either direction. */
  goSilent(): void
  /** Only those that are made from now on pass again. */
  speakAgain(): void
  /** New connections are refused; those that there are stay. */
  refuse(): Promise<void>
  /** New connections are taken again, at the same port. */
  admit(): Promise<void>
  /** How many bytes have come from each side so far. */
  bytes(): { readonly requests: number; readonly replies: number }
  /** How many connections were made so far. */
  readonly connections: number
  close(): Promise<void>
}

interface Pair {
  readonly client: net.Socket
  readonly server: net.Socket
}

export function startProxy(serverPort: number): Promise<Proxy> {
  const pairs = new Set<Pair>()
  const muted = new WeakSet<Pair>()
  let requestLeft = Infinity
  let replyLeft = Infinity
  let delayMs = 0
  let connections = 0
  let target = serverPort
  let isSilent = false
  let [requests, replies] = [0, 0]

  function onRequest(pair: Pair, bytes: Buffer): void {
    const taken = bytes.subarray(0, requestLeft)
    requestLeft -= bytes.length
    if (requestLeft > 0) return void pair.server.write(taken)
    requestLeft = Infinity
    pair.server.end(taken)
    pair.client.destroy()
  }

  function onReply(pair: Pair, bytes: Buffer): void {
    const taken = bytes.subarray(0, replyLeft)
    replyLeft -= bytes.length
    if (replyLeft > 0) return void pair.client.write(taken)
    replyLeft = Infinity
    pair.client.write(taken, () => pair.client.destroy())
    pair.server.destroy()
  }

  const listener = net.createServer((client) => {
    connections++
    const pair = { client, server: net.connect(target, "127.0.0.1") }
    const isMute = () => isSilent || muted.has(pair)
    /** Replies that wait: later ones wait behind them, however short their own delay is. */
    const delayed: { readonly bytes: Buffer; readonly due: number }[] = []
    const passOn = () => {
      while (delayed[0] !== undefined && delayed[0].due <= performance.now()) onReply(pair, delayed.shift()!.bytes)
      if (delayed[0] !== undefined) setTimeout(passOn, Math.max(1, delayed[0].due - performance.now()))
    }
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      pair.server.end()
    }
    client.on("data", (bytes) => {
      requests += bytes.length
      if (isMute()) return
      onRequest(pair, bytes)
    })
    pair.server.on("data", (bytes) => {
      replies += bytes.length
      if (isMute()) return
      if (delayMs === 0 && delayed.length === 0) return onReply(pair, bytes)
      if (delayed.push({ bytes, due: performance.now() + delayMs }) === 1) setTimeout(passOn, delayMs)
    })
    // Half-open: the client does not hear of the end of its server.
    const endUnlessMute = () => void (isMute() || end())
    pair.server.on("error", endUnlessMute).on("close", endUnlessMute).setNoDelay(true)
    client.on("error", end).on("close", end).setNoDelay(true)
  })

  return new Promise((resolve) => {
    listener.listen(0, "127.0.0.1", () => {
      const { port } = listener.address() as net.AddressInfo
      resolve({
        port,
        url: `redis://127.0.0.1:${port}`,
        cutRequestAfter: (bytes) => void (requestLeft = bytes),
        cutReplyAfter: (bytes) => void (replyLeft = bytes),
        reset() {
          for (const { client, server } of pairs) {
            client.resetAndDestroy()
            server.resetAndDestroy()
          }
        },
        delayReplies: (ms) => void (delayMs = ms),
        leadTo: (other) => void (target = other),
        goSilent: () => void (isSilent = true),
        speakAgain() {
          isSilent = false
          for (const pair of pairs) muted.add(pair)
        },
        refuse: () => new Promise((refused) => (listener.close(), setImmediate(refused))),
        admit: () => new Promise((admitted) => listener.listen(port, "127.0.0.1", admitted)),
        bytes: () => ({ requests, replies }),
        get connections() {
          return connections
        },
        close() {
          for (const { client, server } of pairs) {
            client.destroy()
            server.destroy()
          }
          return listener.listening ? new Promise((done) => listener.close(() => done())) : Promise.resolve()
        },
      })
    })
  })
}
