/* OAuth tokens that were validated, and whose they are (CDB-15). */

import { randomBytes } from "node:crypto"
import { takes } from "../../platform/http/fields.ts"
import type { CartoContext } from "../context.ts"
import { oauthToken } from "../ids.ts"
import { noToken } from "./refusals.ts"
import { inBatches } from "../../platform/in-batches.ts"
import { tolerant } from "../../platform/tolerant.ts"

const AT_ONCE = 200

export function oauthTokens(context: CartoContext) {
  const { db, clock } = context
  const unlessCorrupt = tolerant(context.lenient)
  return {
    /** 160 bits. */
    async create(userId: number): Promise<string> {
      const token = randomBytes(20).toString("hex")
      await db.credentials.oauthToken({ oauthToken: token }).set({ user_id: userId, time: clock.now() })
      return token
    },

    /** Undefined for anything that is not a token, whatever it looks like. */
    find: async (token: string) =>
      takes(oauthToken, token) ? db.credentials.oauthToken({ oauthToken: token }).get() : undefined,

    async revoke(token: string): Promise<void> {
      if (!(await db.credentials.oauthToken({ oauthToken: token }).delete())) throw noToken()
    },

    /** Those of a user, the oldest first. */
    async list(userId: number): Promise<{ token: string; time: Date }[]> {
      const found: { token: string; time: Date }[] = []
      for await (const batch of inBatches(db.credentials.oauthToken.scan(), AT_ONCE)) {
        const grants = await Promise.all(batch.map(({ handle }) => unlessCorrupt(handle.get())))
        for (const [i, grant] of grants.entries())
          if (grant?.user_id === userId) found.push({ token: batch[i]!.params.oauthToken, time: grant.time })
      }
      return found.sort((one, other) => one.time.getTime() - other.time.getTime())
    },
  }
}

export type OauthTokens = ReturnType<typeof oauthTokens>
