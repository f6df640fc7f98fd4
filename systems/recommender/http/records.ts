import * as z from "zod"
import type { RouteFor } from "../../platform/http/route.ts"
import type { Blocks } from "../services/blocks.ts"
import type { Records } from "../services/records.ts"
import { Category, Created, Duration, Id, IdInPath, Instant, Text } from "./fields.ts"

export const recordRoutes = (records: Records, blocks: Blocks, forAdmin: RouteFor<void>) => [
  forAdmin("POST /challenges", {
    summary: "Adds a challenge to the source.",
    body: z.strictObject({
      id: Id.optional(),
      category: Category,
      is_public: z.boolean(),
      duration: Duration,
      created: Instant.optional(),
    }),
    ignored: ["finished_date"],
    answer: Created,
    status: 201,
    errors: [409],
    handle: async ({ body }) => ({ id: await records.addChallenge(body) }),
  }),
  forAdmin("POST /members", {
    summary: "Adds a member of a challenge to the source.",
    body: z.strictObject({ challenge: Id, user: Id }),
    ignored: ["id", "created"],
    answer: Created,
    status: 201,
    errors: [404, 409],
    handle: async ({ body }) => ({ id: await records.addMember(body.challenge, body.user) }),
  }),
  forAdmin("POST /posts", {
    summary: "Adds a post of a member to the source.",
    body: z.strictObject({
      id: Id.optional(),
      challenge: Id,
      user: Id,
      text: Text,
      created: Instant.optional(),
    }),
    answer: Created,
    status: 201,
    errors: [404, 409],
    handle: async ({ body }) => ({ id: await records.addPost(body) }),
  }),
  forAdmin("DELETE /posts/{id}", {
    summary: "Deletes a post: from the source, and from the pool at once.",
    params: { id: IdInPath },
    errors: [404],
    handle: ({ params }) => records.deletePost(params.id),
  }),
  forAdmin("POST /reactions", {
    summary: "Adds a reaction to a post, or its cancellation, to the source.",
    body: z.strictObject({ post: Id, user: Id, cancelled: z.boolean().optional() }),
    ignored: ["id", "created"],
    answer: Created,
    status: 201,
    errors: [404, 409],
    handle: async ({ body }) => ({ id: await records.addReaction(body.post, body.user, body.cancelled ?? false) }),
  }),
  forAdmin("POST /trackings", {
    summary: "Adds a tracking record of a user to the source.",
    body: z.strictObject({ user: Id }),
    ignored: ["id", "created"],
    answer: Created,
    status: 201,
    errors: [409],
    handle: async ({ body }) => ({ id: await records.addTracking(body.user) }),
  }),
  forAdmin("POST /blocks", {
    summary: "Blocks an author: the user gets no more recommendations of their posts.",
    body: z.strictObject({ user: Id, author: Id }),
    answer: z.object({ user: Id, author: Id }),
    status: 201,
    withoutRedis: true,
    async handle({ body }) {
      await blocks.add(body.user, body.author)
      return body
    },
  }),
  forAdmin("DELETE /blocks/{user}/{author}", {
    summary: "Unblocks an author.",
    params: { user: IdInPath, author: IdInPath },
    errors: [404],
    withoutRedis: true,
    handle: ({ params }) => blocks.remove(params.user, params.author),
  }),
]
