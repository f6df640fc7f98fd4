/* Where a node is reached, from what other nodes say about it. */

import type { Reply } from "../driver.ts"

export interface Endpoint {
  readonly host: string
  readonly port: number
  /** The host name that it announces in addition to its address; for TLS. */
  readonly name?: string
}

/**
 * Maps addresses as nodes announce them to those by which they can be reached from here: `{"10.0.0.1:6379":
 * "localhost:7001"}`.
 */
export type Nat = Readonly<Record<string, string>> | ((announced: string) => string | undefined)

const HIGHEST_PORT = 65_535
/** Names and addresses as they can be dialled: what else a node says would only end up in messages. */
export const HOST = /^[\w.:%-]{1,255}$/

/** For people, and for comparing: `"127.0.0.1:7000"`, `"[::1]:7000"`. */
export const showEndpoint = ({ host, port }: Endpoint): string =>
  `${host.includes(":") ? `[${host}]` : host}:${String(port)}`

/** Whether two endpoints are the same, including the names that their certificates are for. */
export const isSameEndpoint = (one: Endpoint, other: Endpoint): boolean =>
  one.host === other.host && one.port === other.port && one.name === other.name

/**
 * The endpoint that a reply names. A host that is missing or empty means the node that was asked. `"?"` means that the
 * node does not know it: undefined, as for anything malformed.
 */
export function endpointOf(host: Reply | undefined, port: Reply | undefined, asked: Endpoint): Endpoint | undefined {
  const number = Number(port)
  if (!Number.isInteger(number) || number < 1 || number > HIGHEST_PORT || host === "?") return undefined
  if (host === null || host === undefined || host === "") return { ...asked, port: number }
  const plain = typeof host === "string" ? host.replace(/^\[|\]$/g, "") : ""
  return HOST.test(plain) ? { host: plain, port: number } : undefined
}

/** `"host:port"`, split at the last colon: an IPv6 address has no brackets here. */
export function endpointIn(text: string, asked: Endpoint): Endpoint | undefined {
  const colon = text.lastIndexOf(":")
  return colon < 0 ? undefined : endpointOf(text.slice(0, colon), text.slice(colon + 1), asked)
}

/** The address by which it can be reached from here. */
export function throughNat(endpoint: Endpoint, nat: Nat | undefined): Endpoint {
  if (nat === undefined) return endpoint
  const announced = showEndpoint(endpoint)
  const mapped = typeof nat === "function" ? nat(announced) : nat[announced]
  return (mapped === undefined ? undefined : endpointIn(mapped, endpoint)) ?? endpoint
}

/** What a redirect names: `"MOVED 3999 127.0.0.1:6381"`. */
export function redirectIn(
  message: string,
  asked: Endpoint,
): { readonly slot: number; readonly to: Endpoint | undefined } | undefined {
  const [, slot, to] = /^(?:MOVED|ASK) (\d{1,5}) (\S+)/.exec(message) ?? []
  return slot === undefined || to === undefined ? undefined : { slot: Number(slot), to: endpointIn(to, asked) }
}
