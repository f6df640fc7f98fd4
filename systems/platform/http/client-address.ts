/* Who a request comes from, as far as limits can tell. */

import type { IncomingMessage } from "node:http"

export type AddressOf = (incoming: IncomingMessage) => string

/**
 * The peer's address. Behind a proxy, the one that the proxy added to X-Forwarded-For, which is the last: those before it
 * are the client's own words. Of an IPv6 address the network, because a client has all addresses of its network.
 */
export const addressFrom =
  (isBehindProxy: boolean): AddressOf =>
  (incoming) => {
    const peer = incoming.socket.remoteAddress ?? ""
    const forwarded = isBehindProxy ? incoming.headers["x-forwarded-for"] : undefined
    const last = typeof forwarded === "string" ? forwarded.slice(forwarded.lastIndexOf(",") + 1).trim() : ""
    return network(last === "" ? peer : last)
  }

function network(address: string): string {
  // Some proxies add the port, which the client chooses.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
  if (!plain.includes(":")) return plain.slice(0, 64)
  const [head = "", tail] = plain.split("::", 2)
  const [first, last] = [head.split(":"), tail === undefined ? [] : tail.split(":")]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array.from({ length: zeros }, () => "0"), ...last].slice(0, 4).join(":").slice(0, 64)
}
