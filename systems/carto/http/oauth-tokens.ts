import * as z from "zod"
import type { RouteFor } from "../../platform/http/route.ts"
import type { Services } from "../services.ts"
import { noToken } from "../services/refusals.ts"
import { Token, UserId, UserIdInPath } from "./fields.ts"

export const oauthTokenRoutes = ({ tokens }: Services, forAdmin: RouteFor<void>) => [
  forAdmin("POST /oauth-tokens", {
    summary: "A new OAuth token of a user.",
    body: z.strictObject({ user_id: UserId }),
    ignored: ["token", "time"],
    answer: z.object({ token: z.string() }),
    status: 201,
    handle: async ({ body }) => ({ token: await tokens.create(body.user_id) }),
  }),
  forAdmin("GET /oauth-tokens", {
    summary: "The OAuth tokens of a user, the oldest first.",
    query: { user_id: UserIdInPath },
    answer: z.object({ tokens: z.array(z.object({ token: z.string(), time: z.string() })) }),
    async handle({ query }) {
      const found = await tokens.list(query.user_id)
      return { tokens: found.map(({ token, time }) => ({ token, time: time.toISOString() })) }
    },
  }),
  forAdmin("GET /oauth-tokens/{token}", {
    summary: "Whose OAuth token this is, and since when.",
    params: { token: Token },
    answer: z.object({ user_id: z.int(), time: z.string() }),
    errors: [404],
    async handle({ params }) {
      const found = await tokens.find(params.token)
      if (found === undefined) throw noToken()
      return { user_id: found.user_id, time: found.time.toISOString() }
    },
  }),
  forAdmin("DELETE /oauth-tokens/{token}", {
    summary: "Revokes an OAuth token.",
    params: { token: Token },
    errors: [404],
    handle: ({ params }) => tokens.revoke(params.token),
  }),
]
