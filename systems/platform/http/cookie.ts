/* A cookie that holds a token. No script reads it (HttpOnly), and it crosses no unencrypted
 * network (Secure), except between a browser and a server on one machine, where there is
 * no network. With Secure its name may say so itself: browsers take a `__Host-` cookie only
 * from the host that it is for, so that a neighbouring subdomain cannot plant one. */

import type { IncomingMessage } from "node:http"
import { cookieOf } from "./auth.ts"
import { isLocal } from "./hosts.ts"
import type { Http } from "./route.ts"

export interface TokenCookie {
  /** Sets it for so many seconds, or for as long as the browser runs. */
  set(http: Http, token: string, seconds?: number): void
  clear(http: Http): void
  read(incoming: IncomingMessage): string | undefined
}

export interface TokenCookieOptions {
  readonly name: string
  readonly sameSite: "Lax" | "Strict"
  /** False where clients know it by its plain name. */
  readonly hostPrefix: boolean
}

export function tokenCookie({ name, sameSite, hostPrefix }: TokenCookieOptions): TokenCookie {
  const prefixed = hostPrefix ? `__Host-${name}` : name
  const write = (http: Http, token: string, age: string) => {
    const local = isLocal(http.env.incoming)
    const rest = `${age}HttpOnly; Path=/; SameSite=${sameSite}${local ? "" : "; Secure"}`
    http.header("Set-Cookie", `${local ? name : prefixed}=${token}; ${rest}`)
  }
  return {
    set: (http, token, seconds) => write(http, token, seconds === undefined ? "" : `Max-Age=${seconds}; `),
    clear: (http) => write(http, "", "Max-Age=0; "),
    // By the one name that it was set with: under the plain one, a neighbour could have planted it.
    read: (incoming) => cookieOf(incoming, isLocal(incoming) ? name : prefixed),
  }
}
