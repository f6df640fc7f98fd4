/* Addresses of a primary that sentinels know, all meaning the same:
 *
 *   redis+sentinel://user:password@h1,h2:26380,[::1]/service/2?sentinel_password=…
 *   redis-sentinel://h1,h2/2?sentinelMasterId=service      as Lettuce writes it
 *   redis-sentinel://h1,h2/2#service
 *
 * rediss+sentinel:// for TLS; valkey as redis. */

import { addressInvalid } from "../../errors/driver.ts"
import { type Address, hostIn, parseAddress, printableAddress } from "../address.ts"
import type { Endpoint } from "../cluster/endpoint.ts"

export interface SentinelAddress {
  /** What concerns the primary; its host is not known yet. */
  readonly primary: Address
  readonly sentinels: readonly Endpoint[]
  readonly service: string
  readonly sentinelUsername: string | undefined
  readonly sentinelPassword: string | undefined
}

const SCHEME = /^(redis|valkey)(s?)[+-]sentinel:\/\//
/** The hosts end where a URL's do, at the first / ? or #: an @ after that does not end the credentials. */
const PARTS = /^([^/?#]*@)?([^/?#@]*)([^?#]*)(\?[^#]*)?(#.*)?$/s
const SENTINEL_PORT = 26_379

export const isSentinelAddress = (text: string): boolean => SCHEME.test(text)

export function parseSentinelAddress(text: string): SentinelAddress {
  const [scheme, name, s] = SCHEME.exec(text) ?? []
  const shown = printableAddress(text)
  const [, credentials, hosts, path, query, hash] = PARTS.exec(text.slice(scheme?.length ?? 0)) ?? []
  // The rest of a password with a / or a # in it would be mistaken for the service, which is shown.
  if (`${path ?? ""}${hash ?? ""}`.includes("@"))
    throw addressInvalid(shown, "It has an @ after the hosts: special characters must be percent-encoded.")
  const options = new URLSearchParams(query ?? "")
  const taken = (key: string): string | undefined => {
    const value = options.get(key) ?? undefined
    options.delete(key)
    return value
  }
  const words = (path ?? "")
    .split("/")
    .filter((word) => word !== "")
    .map((word) => decoded(word, shown))
  const named = taken("sentinelMasterId") ?? (hash === undefined ? undefined : decoded(hash.slice(1), shown))
  const [service, db, ...more] = named === undefined ? words : [named, ...words]
  if (service === undefined || service === "")
    throw addressInvalid(shown, "It does not name a service, as redis+sentinel://host/service does.")
  if (more.length > 0) throw addressInvalid(shown, "It has more than a service and a database after the hosts.")
  if (hosts === undefined || hosts === "") throw addressInvalid(shown, "It does not name a sentinel.")
  const sentinelUsername = taken("sentinel_username")
  const sentinelPassword = taken("sentinel_password")
  const others = options.toString()
  const ofPrimary = `${name}${s}://${credentials ?? ""}primary/${db ?? ""}${others === "" ? "" : `?${others}`}`
  const primary = parseAddress(ofPrimary, shown)
  const sentinels = hosts.split(",").map((one) => hostIn(one.trim(), SENTINEL_PORT, shown))
  return { primary, sentinels, service, sentinelUsername, sentinelPassword }
}

function decoded(text: string, shown: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw addressInvalid(shown, "It cannot be parsed as a URL: special characters must be percent-encoded.")
  }
}
