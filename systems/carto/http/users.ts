import * as z from "zod"
import type { RouteFor } from "../../platform/http/route.ts"
import type { Services } from "../services.ts"
import type { Callers } from "./callers.ts"
import { ApiKey, Database, MapKey, UserId, Username } from "./fields.ts"

export const User = z.object({
  id: z.int(),
  username: z.string(),
  database_name: z.string(),
  api_calls: z.array(z.int()),
  last_active_time: z.string().nullable(),
  mapviews: z.object({ global: z.record(z.string(), z.int()) }),
})

const STAMPS = ["api_calls", "last_active_time", "mapviews"]
const params = { username: Username }
const query = { api_key: ApiKey }

export const userRoutes = (
  { access, profiles, removal, renaming, users }: Services,
  { forSelf }: Callers,
  forAdmin: RouteFor<void>,
) => [
  forAdmin("POST /users", {
    summary: "Creates a user; without a map_key, one is generated.",
    body: z.strictObject({
      id: UserId,
      username: Username,
      database_name: Database,
      map_key: MapKey.optional(),
    }),
    ignored: STAMPS,
    answer: User.extend({ map_key: z.string() }),
    status: 201,
    errors: [409],
    async handle({ body }) {
      const { map_key } = await users.create(body)
      return { ...(await profiles.get(body.username)), map_key }
    },
  }),
  forSelf("GET /users/{username}", {
    summary: "A user, without the API key.",
    params,
    query,
    answer: User,
    errors: [404],
    async handle({ caller, params }) {
      await access.user(caller, params.username)
      return profiles.get(params.username)
    },
  }),
  forAdmin("PATCH /users/{username}", {
    summary: "Changes which database has a user's tables.",
    params,
    body: z.strictObject({ database_name: Database.optional() }),
    ignored: ["id", ...STAMPS],
    answer: User,
    errors: [404],
    async handle({ params, body }) {
      if (body.database_name !== undefined) await users.move(params.username, body.database_name)
      return profiles.get(params.username)
    },
  }),
  forAdmin("DELETE /users/{username}", {
    summary:
      "Deletes a user with tables, counters, tokens and map views; repeated after a crash, it completes the deletion.",
    params,
    errors: [404],
    handle: ({ params }) => removal.remove(params.username),
  }),
  forSelf("POST /users/{username}/rename", {
    summary: "Renames a user, with their map views.",
    params,
    query,
    body: z.strictObject({ username: Username }),
    answer: User,
    errors: [404, 409, 429],
    async handle({ caller, params, body }) {
      const isStillAllowed = await access.userInTurn(caller, params.username)
      await renaming.rename(params.username, body.username, isStillAllowed)
      return profiles.get(body.username)
    },
  }),
  forSelf("POST /users/{username}/api-key", {
    summary: "Makes a new API key; the old one is no longer valid.",
    params,
    query,
    answer: z.object({ map_key: z.string() }),
    errors: [404, 429],
    async handle({ caller, params }) {
      const isStillAllowed = await access.userInTurn(caller, params.username)
      return { map_key: await users.rotateKey(params.username, isStillAllowed) }
    },
  }),
  forSelf("POST /users/{username}/dashboard", {
    summary: "Notes that the user has loaded their dashboard.",
    params,
    query,
    errors: [404, 429],
    async handle({ caller, params }) {
      const isStillAllowed = await access.userInTurn(caller, params.username)
      await users.visit(params.username, isStillAllowed)
    },
  }),
]
