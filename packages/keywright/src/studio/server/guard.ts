/* Who may ask the studio anything. It listens on the loopback address alone, but every
 * page of every browser on this machine can reach that, and so can other users:
 *
 *   Host             must be its own address: no name that was rebound to it
 *   Origin           when a browser says one, it must be the studio's own; writes must say one
 *   Sec-Fetch-Site   must say that the studio's own page asks, or a person by hand
 *   Authorization    everything but the page's own files needs the session
 *
 * The token in the printed link works once, as does that of each further link that the
 * program which started the studio asks for: the page exchanges it for the session, which it
 * keeps in sessionStorage and sends as a header. There is no cookie: browsers send cookies
 * to every port of a host, so another server on this machine would receive it. */

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

export interface GuardedRequest {
  readonly method: string
  /** As it is in the request: path and query. */
  readonly target: string
  header(name: string): string | undefined
}

/** What anybody who passes the other checks may read: the page's files contain no secrets. */
const PAGE = new Set(["/", "/index.html", "/app.js", "/app.css", "/icon.svg"])
const ENTRY = "/api/enter"

/** Links that nobody has followed yet; of more, the oldest are forgotten, but not the very first: it is the printed one. */
const MOST_LINKS = 100

export class Guard {
  readonly #session = randomBytes(32).toString("base64url")
  /** Tokens that have not been used. */
  readonly #unused = new Set<string>()
  readonly #hosts: ReadonlySet<string>

  constructor(port: number) {
    this.#hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`])
  }

  /** A token for one more link. */
  newToken(): string {
    const token = randomBytes(32).toString("base64url")
    this.#unused.add(token)
    if (this.#unused.size > MOST_LINKS) {
      const [, oldest] = this.#unused
      this.#unused.delete(oldest!)
    }
    return token
  }

  /** The session for a token; the first time only. */
  enter(token: string): string {
    const found = this.#unusedLike(token)
    if (found === undefined) throw tokenUsed()
    this.#unused.delete(found)
    return this.#session
  }

  /** Why it is refused; undefined when it is not. */
  refusalOf(asking: GuardedRequest): StudioRefusal | undefined {
    const refused = this.#refusal(asking)
    if (refused !== undefined) return refused
    return isOpen(asking) || this.#hasSession(asking.header("authorization")) ? undefined : noSession()
  }

  #refusal({ method, target, header }: GuardedRequest): StudioRefusal | undefined {
    const host = header("host")
    if (host === undefined || !this.#hosts.has(host)) return hostRefused()
    if (!/^\/(?!\/)[\x21-\x7e]*$/.test(target) || /[\\#]/.test(target))
      return queryRefused("the address", "it is not a path of the studio")
    // Node reads any list of codings that ends with `chunked`; another reader may have gone by another one of them.
    const coding = header("transfer-encoding")
    if (coding !== undefined && coding.toLowerCase() !== "chunked")
      return queryRefused("the transfer coding", "it is not chunked")
    // A stream of events whose body nobody reads would never end.
    const isHead = method === "HEAD" && !target.startsWith("/api/")
    if (method !== "GET" && method !== "POST" && !isHead) return methodRefused(method)
    const origin = header("origin")
    if (origin === undefined ? method === "POST" : origin !== `http://${host}`) return originRefused()
    const isPage = !target.startsWith("/api/") && method !== "POST"
    const site = header("sec-fetch-site")
    const isByHand = site === "none" && isPage
    if (site !== undefined && site !== "same-origin" && !isByHand && !this.#isLink(target, header))
      return originRefused()
    const into = header("sec-fetch-dest")
    if (into !== undefined && /^(iframe|frame|object|embed)$/.test(into)) return originRefused()
    return undefined
  }

  /**
   * Another site may navigate here if it has an unused link, which only the program that started the studio
   * hands out.
   */
  #isLink(target: string, header: GuardedRequest["header"]): boolean {
    const [, token] = /^\/\?token=([\w-]+)$/.exec(target) ?? []
    const isNavigation = header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document"
    return isNavigation && token !== undefined && this.#unusedLike(token) !== undefined
  }

  #unusedLike(token: string): string | undefined {
    let found: string | undefined
    for (const one of this.#unused) if (isSame(one, token)) found = one
    return found
  }

  #hasSession(authorization: string | undefined): boolean {
    const [, given] = /^Bearer ([\w-]+)$/.exec(authorization ?? "") ?? []
    return given !== undefined && isSame(given, this.#session)
  }
}

/** By the letters of the target: however a router reads another spelling, that one needs the session. */
function isOpen({ method, target }: GuardedRequest): boolean {
  const [path = ""] = target.split("?", 1)
  return method === "POST" ? path === ENTRY : PAGE.has(path)
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
