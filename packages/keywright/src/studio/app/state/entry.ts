/* How a tab gets in: with the token of the printed link, which works once. */

import type { Failure } from "../../api.ts"
import { call, failureFrom } from "./call.ts"
import { hasSession, keepSession } from "./session-token.ts"

/** The link's token, taken out of the address before anything else can see it there. */
export function takeToken(): string | undefined {
  const { pathname, search, hash } = location
  if (search === "") return undefined
  history.replaceState(null, "", `${pathname}${hash}`)
  return new URLSearchParams(search).get("token") ?? undefined
}

/** Exchanges the token for a session. Returns why that failed, unless this tab has one already. */
export async function enter(token: string): Promise<Failure["error"] | undefined> {
  try {
    keepSession((await call("POST /api/enter", { body: { token } })).session)
    return undefined
  } catch (thrown) {
    return hasSession() ? undefined : failureFrom(thrown)
  }
}
