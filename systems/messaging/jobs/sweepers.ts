/* What expires by itself leaves an entry elsewhere: in OnSub (MSG-11) and in TokensKeys
 * (MSG-6). Several processes may sweep at once: each removal looks first, in one step. */

import { isUnavailable, job, type Job } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { MessagingContext } from "../context.ts"
import type { Presence } from "../services/presence.ts"
import type { Tokens } from "../services/tokens.ts"

type Sweeper = Job<{ removed: number }>

export function sweepers(
  { settings, log }: MessagingContext,
  presence: Presence,
  tokens: Tokens,
): { readonly online: Sweeper; readonly tokens: Sweeper } {
  const sweeper = (name: string, sweep: (signal: AbortSignal) => Promise<number>): Sweeper =>
    job({
      name: `messaging.${name}`,
      every: `${settings.sweepEvery}s`,
      onError: (error) => {
        if (!isUnavailable(error)) log.warn(`sweep of ${name} failed`, errorFields(error))
      },
      run: async ({ signal }) => ({ removed: await sweep(signal) }),
    })
  return { online: sweeper("online", presence.sweep), tokens: sweeper("tokens", tokens.sweep) }
}
