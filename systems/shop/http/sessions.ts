import * as z from "zod"
import { wholeInQuery } from "../../platform/http/fields.ts"
import { route, type RouteFor } from "../../platform/http/route.ts"
import type { ShopContext } from "../context.ts"
import type { Customers } from "../services/customers.ts"
import type { Sessions } from "../services/sessions.ts"
import { Item, User } from "./fields.ts"
import { sessionCookie } from "./session-auth.ts"

export const sessionRoutes = (
  sessions: Sessions,
  customers: Customers,
  forSession: RouteFor<string>,
  { settings, addressOf }: Pick<ShopContext, "settings" | "addressOf">,
) => [
  route("POST /login", {
    summary: "Begins a session.",
    body: z.strictObject({ user: User, password: z.string().optional() }),
    answer: z.object({ token: z.string() }),
    status: 201,
    errors: [401, 429],
    async handle({ body, http }) {
      const token = await customers.login(body.user, body.password, addressOf(http.env.incoming))
      sessionCookie.set(http, token)
      return { token }
    },
  }),
  forSession("GET /session", {
    summary: "The user of this session.",
    answer: z.object({ user: z.string() }),
    handle: async ({ caller }) => ({ user: await sessions.userOf(caller) }),
  }),
  forSession("DELETE /session", {
    summary: "Ends the session, with its views and its cart.",
    async handle({ caller, http }) {
      await sessions.end(caller)
      sessionCookie.clear(http)
    },
  }),
  forSession("POST /views", {
    summary: "Notes that the session looked at an item.",
    body: z.strictObject({ item: Item }),
    handle: ({ caller, body }) => sessions.view(caller, body.item),
  }),
  forSession("GET /session/viewed", {
    summary: "The items that the session looked at, newest first.",
    query: { limit: wholeInQuery(settings.viewedPerSession, 1, settings.viewedPerSession) },
    answer: z.object({ items: z.array(z.object({ item: z.string(), at: z.number() })) }),
    handle: async ({ caller, query }) => ({ items: await sessions.recentlyViewed(caller, query.limit) }),
  }),
]
