/* Who calls. A route names how its callers are known; the check runs before anything
 * else is looked at, and what it returns is the handler's `caller`. */

import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** By the name in the path: `{ username: "dev" }`. */
export type PathParams = Readonly<Record<string, string>>

export interface Auth<Caller> {
  /** The name of its security scheme in the OpenAPI document. */
  readonly name: string
  /** The security scheme itself: `{ type: "http", scheme: "bearer" }`. */
  readonly scheme: Readonly<Record<string, unknown>>
  /** Other schemes that its routes take as well, for the OpenAPI document. */
  readonly or?: readonly Pick<Auth<unknown>, "name" | "scheme">[]
  /** Statuses that it refuses with, besides 401 and, where callers take turns, 429. */
  readonly errors?: readonly number[]
  /** Some of what its routes have is there for anybody. */
  readonly optional?: boolean
  /** Throws a 401, 403 or 429. The parameters are those of the route that is served, decoded, and not yet checked. */
  check(request: IncomingMessage, params: PathParams): Caller | Promise<Caller>
  /**
   * Where `check` leaves a part to the handler: that part, for input that is refused before the handler sees it. The
   * parameters of the path are as they came; undefined when they are what is refused.
   */
  confirm?(caller: Caller, params: PathParams | undefined): Promise<unknown>
  /** Has the handler do its work when it is the caller's turn; 429 when too many of the caller's requests wait. */
  inTurn?<T>(caller: Caller, work: () => Promise<T>, request: IncomingMessage): Promise<T>
}

const BEARER = /^Bearer +(\S+) *$/i

/** The token of `Authorization: Bearer <token>`. */
export const bearerOf = ({ headers }: IncomingMessage): string | undefined => {
  const given = headers.authorization
  return given === undefined ? undefined : BEARER.exec(given)?.[1]
}

/** What a cookie says, by its name: several texts where another page has set one of the same name. */
export function cookiesOf({ headers }: IncomingMessage, name: string): readonly string[] {
  const found = new Set<string>()
  for (const pair of headers.cookie?.split(";") ?? []) {
    const equals = pair.indexOf("=")
    if (equals > 0 && pair.slice(0, equals).trim() === name) found.add(pair.slice(equals + 1).trim())
  }
  return [...found]
}

/** Whether two secrets are the same, in a time that does not reveal how much of them is the same. */
export const isSameSecret = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

/** Always of the same length, so that comparing takes the same time. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest()
