import * as z from "zod"
import { arrivalOf } from "../../platform/http/arrival.ts"
import type { AddressOf } from "../../platform/http/client-address.ts"
import { route, type RouteFor } from "../../platform/http/route.ts"
import type { Tokens } from "../services/tokens.ts"
import { Account, Project, Service, ServiceCode, Tenant, Token, User } from "./fields.ts"
import type { ForTokens } from "./token-auth.ts"

export const tokenRoutes = (tokens: Tokens, { any }: ForTokens, forAdmin: RouteFor<void>, addressOf: AddressOf) => [
  forAdmin("POST /v1/saas/tokens", {
    summary: "Issues the first refresh token of a user.",
    body: z.strictObject({
      tenant: Tenant,
      account: Account,
      project: Project,
      serviceId: Service.optional(),
      service: ServiceCode,
      user: User,
    }),
    answer: z.object({ refreshToken: z.string(), expiresIn: z.int() }),
    status: 201,
    errors: [409],
    handle: ({ body: { serviceId, ...grant } }) => tokens.issue(serviceId ?? grant.service, grant),
  }),
  forAdmin("DELETE /v1/saas/tokens", {
    summary: "Revokes all tokens of a service, or of one user there.",
    query: { project: Project, service: Service, user: User.optional() },
    answer: z.object({ revoked: z.int() }),
    handle: async ({ query: { user, ...scope } }) => ({ revoked: await tokens.revokeAll(scope, user) }),
  }),
  route("POST /v1/auth/token", {
    summary: "Exchanges a refresh token, once, for a new pair.",
    body: z.strictObject({ refreshToken: Token }),
    answer: z.object({ refreshToken: z.string(), accessToken: z.string(), expiresIn: z.int() }),
    errors: [401],
    handle: ({ body, http }) => tokens.exchange(body.refreshToken, arrivalOf(http.env.incoming, addressOf)),
  }),
  any("DELETE /v1/auth/token", {
    summary: "Logs out: revokes the access token and its refresh token.",
    handle: ({ caller }) => tokens.end(caller),
  }),
  any("GET /v1/auth/introspect", {
    summary: "Says whose token it is, for any service.",
    answer: z.object({
      tenant: z.string(),
      account: z.string(),
      project: z.string(),
      service: ServiceCode,
      user: z.string(),
      expiresIn: z.int(),
    }),
    async handle({ caller }) {
      const { tenant, account, project, code, user } = caller
      return { tenant, account, project, service: code, user, expiresIn: await tokens.secondsLeft(caller) }
    },
  }),
]
