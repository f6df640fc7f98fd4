/* An address of a server, from a URL. What is shown of it never has the password.
 *
 *   redis://user:password@host:6379/2     rediss:// for TLS; valkey:// and valkeys:// are the same
 *   unix:///run/redis.sock?db=2           also redis+unix://
 *   redis://a:7000,b:7000,c:7000          nodes of one cluster
 *   …?protocol=2&timeoutMs=500&name=app   options of the connection
 *   …?cluster=off                         this server alone, even if it is a node of a cluster
 *   …?read=replica                        replicas answer reads */

import { addressInvalid } from "../errors/driver.ts"

export interface Address {
  readonly host: string
  readonly port: number
  /** A unix socket, instead of host and port. */
  readonly path: string | undefined
  readonly tls: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  readonly db: number
  readonly protocol: 2 | 3 | undefined
  readonly timeoutMs: number | undefined
  readonly connectTimeoutMs: number | undefined
  readonly replyBytes: number | undefined
  readonly name: string | undefined
  /** "off": the server itself, even if it is a node of a cluster. */
  readonly cluster: "auto" | "off" | undefined
  /** Who answers reads. */
  readonly read: "primary" | "replica" | undefined
  /** More nodes of the same cluster. */
  readonly others: readonly { readonly host: string; readonly port: number }[]
}

const SCHEME = /^(redis|rediss|valkey|valkeys|unix|redis\+unix|valkey\+unix):\/\//
const OPTIONS = new Set(["db", "protocol", "timeoutMs", "connectTimeoutMs", "replyBytes", "name", "cluster", "read"])

/** `shown` is what errors say about it, where it is a part of another address. */
export function parseAddress(text: string, shown = printableAddress(text)): Address {
  const scheme = SCHEME.exec(text)?.[1]
  if (scheme === undefined) throw addressInvalid(shown, "It does not begin with a scheme that Keywright knows.")
  const { first, others } = severalHosts(text, shown)
  const url = asUrl(first, scheme, shown)
  // The host would be shown, and with an encoded @ it is the password, too.
  if (url.hostname.includes("%"))
    throw addressInvalid(shown, "Its host has a %: the : and the @ around a password are not percent-encoded.")
  const unix = scheme.endsWith("unix")
  for (const option of url.searchParams.keys()) {
    // Its name is not repeated: it may be the rest of a password.
    if (!OPTIONS.has(option))
      throw addressInvalid(shown, `It has an unknown option: there are ${[...OPTIONS].join(", ")}.`)
  }
  if (url.hash !== "") throw addressInvalid(shown, "It has a #, which must be percent-encoded.")
  const whole = (name: string, value: string | null): number | undefined => {
    if (value === null || value === "") return undefined
    if (!/^\d{1,12}$/.test(value)) throw addressInvalid(shown, `Its ${name} is not a whole number.`)
    return Number(value)
  }
  const option = (name: string) => whole(name, url.searchParams.get(name))
  const protocol = option("protocol")
  if (protocol !== undefined && protocol !== 2 && protocol !== 3)
    throw addressInvalid(shown, "Its protocol is not 2 or 3.")
  const cluster = url.searchParams.get("cluster") ?? undefined
  if (cluster !== undefined && cluster !== "off" && cluster !== "auto")
    throw addressInvalid(shown, 'Its option cluster is not "off" or "auto".')
  const read = url.searchParams.get("read") ?? undefined
  if (read !== undefined && read !== "primary" && read !== "replica")
    throw addressInvalid(shown, 'Its option read is not "primary" or "replica".')
  return {
    host: unix ? "" : url.hostname.replace(/^\[|\]$/g, "") || "127.0.0.1",
    port: whole("port", url.port) ?? 6379,
    path: unix ? decodeURIComponent(url.pathname) : undefined,
    tls: scheme === "rediss" || scheme === "valkeys",
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    db: option("db") ?? (unix ? 0 : (whole("database", url.pathname.slice(1)) ?? 0)),
    protocol,
    timeoutMs: option("timeoutMs"),
    connectTimeoutMs: option("connectTimeoutMs"),
    replyBytes: option("replyBytes"),
    name: url.searchParams.get("name") ?? undefined,
    cluster,
    read,
    others,
  }
}

/** Takes the list of hosts apart: the address with the first of them, and the others. */
function severalHosts(text: string, shown: string): { readonly first: string; readonly others: Address["others"] } {
  const [, head, list, tail] = /^([a-z+]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text) ?? []
  if (head === undefined || list === undefined || !list.includes(",")) return { first: text, others: [] }
  const [first, ...others] = list.split(",").map((one) => one.trim())
  return {
    first: `${head}${first}${tail}`,
    others: others.map((one) => hostIn(one, 6379, shown)),
  }
}

/** A number that is too large for a port may be a password, behind a user. */
const HOST = /^(\[[\da-f:.]+\]|[^:[\]%=＠]+)(?::([0-5]?\d{1,4}|6[0-5]\d{3}))?$/i

/** `"host"`, `"host:port"` or `"[::1]:port"`, an entry of a list of hosts. */
export function hostIn(text: string, usualPort: number, shown: string): Address["others"][number] {
  const [, host, port] = HOST.exec(text) ?? []
  if (host === undefined) throw addressInvalid(shown, "An entry of its list of hosts is not host or host:port.")
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port ?? usualPort) }
}

/** `redis://127.0.0.1:6379/0`: for people, without user and password. */
export function showAddress({ path, tls, host, port, db }: Address): string {
  if (path !== undefined) return `unix://${path}${db === 0 ? "" : `?db=${db}`}`
  return `${tls ? "rediss" : "redis"}://${host.includes(":") ? `[${host}]` : host}:${port}/${db}`
}

/**
 * What may be printed of an address, even if it is not a URL at all: scheme, hosts, and a database or a socket. All
 * errors about addresses say this and nothing else of them.
 */
export function printableAddress(text: string): string {
  const scheme = /^[a-z+.-]{1,20}:\/\//i.exec(text)?.[0] ?? ""
  const whole = text.slice(scheme.length).replace(/%40/g, "@").replace(/%3a/gi, ":")
  // A password may contain a /, so everything before the last @ is removed.
  const at = whole.lastIndexOf("@")
  if (scheme === "" && at < 0) return "the text given"
  const end = whole.search(/[?#]/)
  // After ? or #, an @ is either in an option or ends a password with that character: what is around it may be secret.
  if (end >= 0 && at > end) return JSON.stringify(`${scheme}…`)
  const place = whole.slice(at + 1, end < 0 ? undefined : end)
  const shown = `${scheme}${at < 0 ? "" : "…@"}${printablePlace(place, scheme)}`.slice(0, 120)
  return JSON.stringify(`${shown}${end < 0 ? "" : "?…"}`)
}

/** Where the host was forgotten, what looks like a port is the password, and what follows may be the rest of it. */
function printablePlace(place: string, scheme: string): string {
  const [, hosts, path] = /^([^/]*)(.*)$/s.exec(place) as unknown as [string, string, string]
  const entries = hosts.split(",")
  const wrong = entries.findIndex((entry) => entry !== "" && !HOST.test(entry.trim()))
  if (wrong >= 0) return [...entries.slice(0, wrong), "…"].join(",")
  return `${hosts}${scheme.endsWith("unix://") || /^\/?\d{0,9}$/.test(path) ? path : "/…"}`
}

/** The URL parser requires a host where there is a user. */
function asUrl(text: string, scheme: string, shown: string): URL {
  try {
    const url = new URL(scheme.endsWith("unix") ? text.replace(/^([^/]+:\/\/[^/]*@)\//, "$1localhost/") : text)
    for (const part of [url.username, url.password, url.pathname]) decodeURIComponent(part)
    return url
  } catch {
    throw addressInvalid(
      shown,
      "It cannot be parsed as a URL: special characters, of a password too, must be percent-encoded.",
    )
  }
}
