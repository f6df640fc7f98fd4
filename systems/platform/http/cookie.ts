/* A cookie that holds a token. No script reads it (HttpOnly), and it crosses no unencrypted
 * network (Secure), except between a browser and a server on one machine, where there is
 * no network. With Secure its name may say so itself: browsers take a `__Host-` cookie only
 * from the host that it is for, so that a neighbouring subdomain cannot plant one. */

import type { IncomingMessage } from "node:http"
import { cookiesOf } from "./auth.ts"
import { isLocal } from "./hosts.ts"
import type { Exchange } from "./exchange.ts"

export interface TokenCookie {
  /** Sets it for this many seconds, or for as long as the browser runs. */
  set(http: Exchange, token: string, seconds?: number): void
  clear(http: Exchange): void
  /** If several differ, none is accepted: it is unknown which of them was planted. */
  read(incoming: IncomingMessage): string | undefined
  /** Some of the existing ones, to end them. */
  readAll(incoming: IncomingMessage): readonly string[]
}

export interface TokenCookieOptions {
  readonly name: string
  readonly sameSite: "Lax" | "Strict"
  /** False where clients know it by its plain name. */
  readonly hostPrefix: boolean
}

/** A browser sends few of one name. */
const MOST_ENDED = 10

export function tokenCookie({ name, sameSite, hostPrefix }: TokenCookieOptions): TokenCookie {
  const prefixed = hostPrefix ? `__Host-${name}` : name
  const write = (http: Exchange, token: string, age: string) => {
    const local = isLocal(http.env.incoming)
    const rest = `${age}HttpOnly; Path=/; SameSite=${sameSite}${local ? "" : "; Secure"}`
    http.env.outgoing.setHeader("Set-Cookie", `${local ? name : prefixed}=${token}; ${rest}`)
  }
  // By the one name that it was set with: under the plain one, a neighbour could have planted it.
  const all = (incoming: IncomingMessage) => cookiesOf(incoming, isLocal(incoming) ? name : prefixed)
  return {
    set: (http, token, seconds) => write(http, token, seconds === undefined ? "" : `Max-Age=${seconds}; `),
    clear: (http) => write(http, "", "Max-Age=0; "),
    read(incoming) {
      const [only, ...more] = all(incoming)
      return more.length === 0 ? only : undefined
    },
    readAll: (incoming) => all(incoming).slice(0, MOST_ENDED),
  }
}
