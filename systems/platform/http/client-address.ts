/* Who a request comes from, as far as can be told. */

import { isIPv4, isIPv6, type Socket } from "node:net"
import type { IncomingMessage } from "node:http"

export type AddressOf = (incoming: IncomingMessage) => string

/** What a proxy says where it should name an address, and does not: all such requests are counted together. */
export const UNKNOWN = "unknown"

/**
 * The peer's address. Behind a proxy, the one that the proxy added to X-Forwarded-For, which is the last: those before it
 * are the client's own words. Each address has one spelling.
 */
export const clientFrom =
  (isBehindProxy: boolean): AddressOf =>
  (incoming) => {
    const forwarded = isBehindProxy ? incoming.headers["x-forwarded-for"] : undefined
    const last = typeof forwarded === "string" ? forwarded.slice(forwarded.lastIndexOf(",") + 1).trim() : ""
    return canonical(last === "" ? (incoming.socket.remoteAddress ?? "") : last) ?? UNKNOWN
  }

/** Whom limits count: of an IPv6 address the network, because a client has all addresses of its /64. */
export const addressFrom = (isBehindProxy: boolean): AddressOf => {
  const clientOf = clientFrom(isBehindProxy)
  return (incoming) => networkOf(clientOf(incoming))
}

/** The same for a connection: behind a proxy, it is the address of the proxy. */
export const addressOfPeer = ({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string =>
  networkOf(canonical(remoteAddress) ?? UNKNOWN)

const LONGEST = 100

/** The one spelling of an address, without a port or a zone; undefined when it is not an address. */
export function canonical(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const unquoted = text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
  // Some proxies add the port, which the client chooses.
  const plain = /^\[([^[\]]*)\](?::\d{1,5})?$/.exec(unquoted)?.[1] ?? unquoted.replace(/^([\d.]+):\d{1,5}$/, "$1")
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return undefined
  const spelled = new URL(`http://[${plain.replace(/%.*$/, "")}]`).hostname.slice(1, -1)
  return mapped(spelled) ?? spelled
}

/** `"::ffff:808:808"` → `"8.8.8.8"`: an IPv4 address that came as IPv6 is IPv4. */
function mapped(spelled: string): string | undefined {
  const found = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(spelled)
  if (found === null) return undefined
  const [high, low] = [Number.parseInt(found[1]!, 16), Number.parseInt(found[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join(".")
}

function networkOf(address: string): string {
  if (!address.includes(":")) return address
  const [head = "", tail] = address.split("::", 2)
  const groups = (part: string | undefined) => (part === undefined || part === "" ? [] : part.split(":"))
  const [first, last] = [groups(head), groups(tail)]
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0")
  return [...first, ...zeros, ...last].slice(0, 4).join(":")
}
