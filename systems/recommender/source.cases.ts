/* Records and runs, as a test asks for them: each has to be accepted. */

import { expect } from "vitest"
import { BREAK_DAY } from "./services/run/add-posts.ts"
import type { Served } from "../platform/testing/serve.ts"

export interface RunReport {
  readonly date: string
  readonly day_index: number
  readonly added: Readonly<Record<"clg" | "mmbr" | "post" | "reaction" | "tracking", number>>
  readonly skipped: readonly { table: string; id: number; reason: string }[]
  readonly duration_ms: number
}
export interface Recommended {
  readonly id: number
  readonly challenge: number
  readonly category: number
  readonly reason: string
}

/** `noon(3)` is in the middle of 2024-01-03. */
export const noon = (day: number) => `${date(day)}T12:00:00Z`
export const date = (day: number) => new Date(Date.UTC(2024, 0, day)).toISOString().slice(0, 10)

export function sourceOf(served: () => Served) {
  const add = async (path: string, body: object): Promise<number> => {
    const answer = await served().admin(`POST ${path}`, body)
    expect([answer.status, answer.body], `${path} ${JSON.stringify(body)}`).toEqual([201, { id: expect.any(Number) }])
    return (answer.body as { id: number }).id
  }
  const post = (challenge: number, user: number, more: { id?: number; text?: string; created?: string } = {}) =>
    add("/posts", { challenge, user, text: "I ran 5 km.", ...more })
  return {
    challenge: (
      more: { id?: number; category?: number; is_public?: boolean; duration?: number; created?: string } = {},
    ) => add("/challenges", { category: 0, is_public: true, duration: 21, created: "2024-01-01T00:00:00Z", ...more }),
    member: (challenge: number, user: number) => add("/members", { challenge, user }),
    post,
    rest: (challenge: number, user: number, created: string) => post(challenge, user, { text: BREAK_DAY, created }),
    react: (post: number, user: number) => add("/reactions", { post, user }),
    cancel: (post: number, user: number) => add("/reactions", { post, user, cancelled: true }),
    track: (user: number) => add("/trackings", { user }),

    async nightly(day: number): Promise<RunReport> {
      const answer = await served().admin("POST /jobs/nightly", { date: date(day) })
      expect([answer.status, answer.body]).toEqual([200, expect.anything()])
      return answer.body
    },
    async recommend(user: number, query = ""): Promise<readonly Recommended[]> {
      const answer = await served().call(`GET /users/${user}/recommendations${query}`)
      expect(answer.status).toBe(200)
      return answer.body["posts"]
    },
  }
}
