/* What a request did to Redis, for the page that made it: the client reports what it sends
 * (keywright's `onSent`), and AsyncLocalStorage says for which request. A request is
 * recorded only where it asks for it, by an id that its page made up; the last few are kept
 * for the page to fetch. */

import { AsyncLocalStorage } from "node:async_hooks"
import type { OnSent, Sent } from "keywright"
import type { Team } from "../workers/team.ts"

export interface Recorded {
  readonly system: string
  /** `"PUT /cart/items/{item}"` */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly sent: readonly Sent[]
  /** Round trips beyond those that are kept. */
  readonly more: number
}

export interface Recorder {
  /** For `connect`: only calls of a request that is recorded are wanted. */
  readonly onSent: OnSent
  /** Does the work, which answers with a status, and keeps what it sent under the id. */
  record(id: string, system: string, route: string, work: () => Promise<number>): Promise<number>
  /** What was kept, here or by another worker; undefined when there is nothing of this id. */
  find(id: string): Promise<Recorded | undefined>
}

const MOST_KEPT = 500
const MOST_SENT = 60

interface Recording {
  readonly sent: Sent[]
  more: number
}

export function recorder(team: Team): Recorder {
  const running = new AsyncLocalStorage<Recording>()
  const kept = new Map<string, Recorded>()
  let isUsed = false
  team.answer("recorded", (id) => kept.get(id as string))
  return {
    onSent: {
      isWanted: () => isUsed && running.getStore() !== undefined,
      report(sent) {
        const recording = running.getStore()!
        if (recording.sent.length < MOST_SENT) recording.sent.push(sent)
        else recording.more += 1
      },
    },
    async record(id, system, route, work) {
      isUsed = true
      const recording: Recording = { sent: [], more: 0 }
      const started = performance.now()
      const status = await running.run(recording, work)
      const ms = Math.round((performance.now() - started) * 100) / 100
      kept.set(id, { system, route, status, ms, ...recording })
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!)
      return status
    },
    find: async (id) => kept.get(id) ?? ((await team.ask("recorded", id))[0] as Recorded | undefined),
  }
}
