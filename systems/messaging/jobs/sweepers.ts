/* What expires by itself leaves an entry elsewhere: in OnSub (MSG-11) and in TokensKeys
 * (MSG-6). Several processes may sweep at once: each removal looks first, in one step. */

import { job, type Job } from "keywright"
import { jobFailed } from "../../platform/log.ts"
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
      onError: jobFailed(log, `sweep of ${name} failed`),
      run: async ({ signal }) => ({ removed: await sweep(signal) }),
    })
  return { online: sweeper("online", presence.sweep), tokens: sweeper("tokens", tokens.sweep) }
}
