/* Names that a server answers to. Without a list it answers to all, because it knows its
 * address and not its name; with one, a page of another name that was pointed at this
 * address (DNS rebinding) gets nothing. Loopback names are always accepted: nobody else can have
 * them. */

import type { IncomingMessage } from "node:http"
import { clientFrom } from "./client-address.ts"

/** `example.com`, or `*.example.com` for the names below it. */
export type HostPattern = string

const NAME = /^(?:\*\.)?(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$/

/** Whether a text can be in the list. */
export const isHostPattern = (text: string): boolean => NAME.test(text) && text.length <= 253

/** Whether a Host header is on the list. */
export function isServed(patterns: readonly HostPattern[], header: string): boolean {
  const host = hostnameOf(header)
  return (
    isLoopbackName(host) ||
    patterns.some((pattern) => (pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern))
  )
}

const PROXIED = Symbol("it came through a proxy that names its origin")
type Proxied = IncomingMessage & { [PROXIED]?: true }

/** The request comes from a proxy, which may have put this server's own address where the browser named the proxy. */
export function proxied(incoming: Proxied): void {
  incoming[PROXIED] = true
}

/**
 * Whether the browser and the server are on one machine, as far as the name shows, and behind a proxy the address:
 * cookies can do without Secure there.
 */
export const isLocal = (incoming: Proxied): boolean =>
  isLoopbackName(hostnameOf(incoming.headers.host ?? "")) &&
  (incoming[PROXIED] !== true || isLoopbackAddress(clientBehindProxy(incoming)))

const clientBehindProxy = clientFrom(true)

/** `Shop.example.com.:8080` → `shop.example.com` */
export function hostnameOf(header: string): string {
  const colon = header.startsWith("[") ? header.indexOf("]") + 1 : header.indexOf(":")
  const name = (colon > 0 ? header.slice(0, colon) : header).toLowerCase()
  return name.endsWith(".") ? name.slice(0, -1) : name
}

const isLoopbackName = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)

export const isLoopbackAddress = (address: string): boolean => address === "::1" || address.startsWith("127.")
