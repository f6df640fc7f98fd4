import * as z from "zod"
import type { Auth } from "../../platform/http/auth.ts"
import { route } from "../../platform/http/route.ts"
import type { OauthTokens } from "../services/oauth-tokens.ts"
import { noToken } from "../services/refusals.ts"
import { Token, UserId, UserIdInPath } from "./fields.ts"

export const oauthTokenRoutes = (tokens: OauthTokens, admin: Auth<void>) => [
  route({
    method: "POST",
    path: "/oauth-tokens",
    summary: "A new OAuth token of a user.",
    auth: admin,
    body: z.strictObject({ user_id: UserId }),
    ignored: ["token", "time"],
    answer: z.object({ token: z.string() }),
    status: 201,
    handle: async ({ body }) => ({ token: await tokens.create(body.user_id) }),
  }),
  route({
    method: "GET",
    path: "/oauth-tokens",
    summary: "The OAuth tokens of a user, the oldest first.",
    auth: admin,
    query: { user_id: UserIdInPath },
    answer: z.object({ tokens: z.array(z.object({ token: z.string(), time: z.string() })) }),
    async handle({ query }) {
      const found = await tokens.list(query.user_id)
      return { tokens: found.map(({ token, time }) => ({ token, time: time.toISOString() })) }
    },
  }),
  route({
    method: "GET",
    path: "/oauth-tokens/{token}",
    summary: "Whose OAuth token this is, and since when.",
    auth: admin,
    params: { token: Token },
    answer: z.object({ user_id: z.int(), time: z.string() }),
    errors: [404],
    async handle({ params }) {
      const found = await tokens.find(params.token)
      if (found === undefined) throw noToken()
      return { user_id: found.user_id, time: found.time.toISOString() }
    },
  }),
  route({
    method: "DELETE",
    path: "/oauth-tokens/{token}",
    summary: "Revokes an OAuth token.",
    auth: admin,
    params: { token: Token },
    errors: [404],
    handle: ({ params }) => tokens.revoke(params.token),
  }),
]
