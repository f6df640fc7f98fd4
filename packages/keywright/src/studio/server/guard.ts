/* Who may ask the studio anything. It listens on the loopback address alone, but every
 * page of every browser on this machine can reach that, and so can other users:
 *
 *   Host             must be its own address: no name that was rebound to it
 *   Origin           when a browser says one, it must be the studio's own; writes must say one
 *   Sec-Fetch-Site   must say that the studio's own page asks, or a person by hand
 *   cookie           everything but the one link that was printed needs the session
 *
 * The token in that link works once: it is turned into a cookie that scripts cannot
 * read and that no other site's request carries. */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import {
  hostRefused,
  methodRefused,
  noSession,
  originRefused,
  queryRefused,
  type StudioRefusal,
  tokenUsed,
} from "../../errors/studio.ts"

export interface Asking {
  readonly method: string
  /** As it stands in the request: path and query. */
  readonly target: string
  header(name: string): string | undefined
}

export type Verdict =
  | { readonly refused: StudioRefusal }
  /** The token was right: a cookie, and on to the page without it. */
  | { readonly cookie: string; readonly location: string }
  | { readonly allowed: true }

export class Guard {
  readonly #token = randomBytes(32).toString("base64url")
  readonly #session = randomBytes(32).toString("base64url")
  #isUsed = false
  readonly #hosts: ReadonlySet<string>
  readonly #cookie: string

  constructor(port: number) {
    this.#hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`])
    // Cookies know no ports: two studios must not take each other's.
    this.#cookie = `keywright-studio-${port}`
  }

  get token(): string {
    return this.#token
  }

  judge(asking: Asking): Verdict {
    const refused = this.#refusal(asking)
    if (refused !== undefined) return { refused }
    const { searchParams, pathname } = new URL(asking.target, "http://studio")
    const given = searchParams.getAll("token")
    const isKnown = this.#hasSession(asking.header("cookie") ?? "")
    if (given.length > 0 && asking.method === "GET" && !pathname.startsWith("/api/"))
      return this.#enter(given, isKnown, pathname, searchParams)
    return isKnown ? { allowed: true } : { refused: noSession() }
  }

  #refusal({ method, target, header }: Asking): StudioRefusal | undefined {
    const host = header("host")
    if (host === undefined || !this.#hosts.has(host)) return hostRefused()
    if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(target) || target.includes("\\"))
      return queryRefused("the address", "it is no path of the studio")
    if (method !== "GET" && method !== "HEAD" && method !== "POST") return methodRefused(method)
    const origin = header("origin")
    if (origin === undefined ? method === "POST" : origin !== `http://${host}`) return originRefused()
    const isPage = !target.startsWith("/api/") && method !== "POST"
    const site = header("sec-fetch-site")
    if (site !== undefined && site !== "same-origin" && !(site === "none" && isPage)) return originRefused()
    const into = header("sec-fetch-dest")
    if (into !== undefined && /^(iframe|frame|object|embed)$/.test(into)) return originRefused()
    return undefined
  }

  #enter(given: readonly string[], isKnown: boolean, pathname: string, query: URLSearchParams): Verdict {
    const [token = ""] = given
    query.delete("token")
    const rest = query.size === 0 ? "" : `?${query.toString()}`
    const location = `${pathname}${rest}`
    // Somebody who is in already may use the link again: it gives nothing new.
    if (isKnown) return { cookie: this.#cookieText(), location }
    if (given.length !== 1 || this.#isUsed || !isSame(token, this.#token)) return { refused: tokenUsed() }
    this.#isUsed = true
    return { cookie: this.#cookieText(), location }
  }

  #cookieText(): string {
    return `${this.#cookie}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`
  }

  #hasSession(cookies: string): boolean {
    const own = cookies
      .split(/; */)
      .filter((one) => one.startsWith(`${this.#cookie}=`))
      .map((one) => one.slice(this.#cookie.length + 1))
    return own.length === 1 && isSame(own[0]!, this.#session)
  }
}

/** Compared as digests: their length says nothing, and neither does the time that it takes. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** On every answer, whatever it is. */
export const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "cache-control": "no-store",
}
