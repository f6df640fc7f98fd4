/* The session of this tab. It is kept in sessionStorage, which belongs to this origin and this
 * tab: a reload finds it again, and no server on another port of this machine is sent it. */

import { kept } from "./kept.ts"

const stored = kept("session", "session")

let session = stored.get()

export const hasSession = (): boolean => session !== undefined

/** The header that every call carries. */
export const authorization = (): Record<string, string> =>
  session === undefined ? {} : { authorization: `Bearer ${session}` }

export function keepSession(value: string): void {
  session = value
  stored.set(value)
}
