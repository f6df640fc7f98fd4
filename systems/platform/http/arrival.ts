/* When a request may have been sent. Whether a token comes back, or is sent twice in one
 * moment, is a matter of when: a request that was on its way before the first was
 * answered is no replay. The first request of a connection may have been on its way since
 * the connection was made, however late the server came to read it. */

import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { performance } from "node:perf_hooks"

/** When a connection was made; only until its first request. */
const fresh = new WeakMap<Socket, number>()
const times = new WeakMap<IncomingMessage, number>()

export function connected(socket: Socket): void {
  fresh.set(socket, performance.now())
}

export function arrived(incoming: IncomingMessage): void {
  const { socket } = incoming
  times.set(incoming, fresh.get(socket) ?? performance.now())
  fresh.delete(socket)
}

/** For so many milliseconds a request has been here, or on its way. */
export const waitedMs = (incoming: IncomingMessage): number => {
  const at = times.get(incoming)
  return at === undefined ? 0 : performance.now() - at
}
