import * as z from "zod"
import type { AddressOf } from "../../platform/http/client-address.ts"
import { wholeInQuery } from "../../platform/http/fields.ts"
import { route, type RouteFor } from "../../platform/http/route.ts"
import { writtenTogether } from "../../platform/http/written-together.ts"
import type { Params } from "../services/params.ts"
import type { Reads } from "../services/reads.ts"
import type { Recommendations } from "../services/recommendations.ts"
import { CategoryInPath, Day, DistinctCategory, Id, IdInPath, MaxPostAge, SeedInQuery, SlotInQuery } from "./fields.ts"

const Challenge = z.object({
  id: Id,
  category: z.int(),
  is_public: z.boolean(),
  duration: z.int(),
  finished_date: Day,
})
const ParamValues = z.object({
  max_post_age: z.int(),
  distinct_category: z.int(),
  day_index: z.int().nullable(),
  last_run_date: Day.nullable(),
})
const user = { id: IdInPath }

export const readRoutes = (
  reads: Reads,
  { recommend }: Recommendations,
  params: Params,
  forAdmin: RouteFor<void>,
  addressOf: AddressOf,
) => {
  // Each client shares with itself: who joined another's request would wait for its turn.
  const ofUser = (read: (user: number, client: string) => Promise<unknown>) => {
    const ask = writtenTogether((name) => {
      const [user = "", client = ""] = name.split(" ")
      return read(Number(user), client)
    })
    return (user: number, client: string) => ask(`${user} ${client}`)
  }
  const preferences = ofUser(async (...asked) => ({ challenges: await reads.preferences(...asked) }))
  const liked = ofUser(async (...asked) => ({ posts: await reads.liked(...asked) }))
  const posts = writtenTogether(async (category) => ({ posts: await reads.posts(Number(category)) }))
  const challenges = writtenTogether(async () => ({ challenges: await reads.challenges() }))
  return [
    route("GET /users/{id}/recommendations", {
      summary: "Posts that the user might like, each with a reason; the same `seed` gives the same ones.",
      params: user,
      query: { limit: wholeInQuery(100, 1, 1000), seed: SeedInQuery },
      answer: z.object({
        posts: z.array(
          z.object({
            id: Id,
            challenge: Id,
            category: z.int(),
            reason: z.enum(["reacted_challenge", "top_category", "explore"]),
          }),
        ),
      }),
      errors: [429],
      handle: async ({ params, query, http }) => ({
        posts: await recommend(params.id, query.limit, query.seed, addressOf(http.env.incoming)),
      }),
    }),
    route("GET /users/{id}/contribution", {
      summary: "Days that the user spent on each category.",
      params: user,
      answer: z.object({ contribution: z.array(z.int()) }),
      handle: async ({ params }) => ({ contribution: await reads.contribution(params.id) }),
    }),
    route("GET /users/{id}/preferences", {
      summary: "How often the user reacted to each challenge, most often first.",
      params: user,
      answer: z.object({ challenges: z.array(z.object({ id: Id, score: z.int() })) }),
      errors: [429],
      handle: ({ params, http }) => preferences(params.id, addressOf(http.env.incoming)),
    }),
    route("GET /users/{id}/liked", {
      summary: "Posts that the user interacted with.",
      params: user,
      answer: z.object({ posts: z.array(Id) }),
      errors: [429],
      handle: ({ params, http }) => liked(params.id, addressOf(http.env.incoming)),
    }),
    route("GET /categories/{category}/posts", {
      summary: "The recent posts of a category, the newest first, with their age in days.",
      params: { category: CategoryInPath },
      answer: z.object({ posts: z.array(z.object({ id: Id, age: z.int() })) }),
      handle: ({ params }) => posts(String(params.category)),
    }),
    forAdmin("DELETE /categories/{category}/posts", {
      summary: "Takes posts out of the pool by their slot in the ring of days, both ends included.",
      params: { category: CategoryInPath },
      query: { from: SlotInQuery, to: SlotInQuery },
      answer: z.object({ removed: z.int() }),
      handle: async ({ params, query }) => ({
        removed: await reads.removePosts(params.category, query.from, query.to),
      }),
    }),
    route("GET /challenges", {
      summary: "The ongoing challenges.",
      answer: z.object({ challenges: z.array(Challenge) }),
      handle: () => challenges(""),
    }),
    route("GET /challenges/{id}", {
      summary: "An ongoing challenge.",
      params: { id: IdInPath },
      answer: Challenge,
      errors: [404],
      handle: ({ params }) => reads.challenge(params.id),
    }),
    route("GET /posts/{id}", {
      summary: "The challenge of a post in the pool.",
      params: { id: IdInPath },
      answer: z.object({ id: Id, challenge: Id }),
      errors: [404],
      handle: ({ params }) => reads.post(params.id),
    }),
    route("GET /params", {
      summary: "The parameters, and where the ring of days is.",
      answer: ParamValues,
      handle: () => reads.params(),
    }),
    forAdmin("PUT /params", {
      summary: "Changes the parameters, as long as no run has used them.",
      body: z.strictObject({ max_post_age: MaxPostAge.optional(), distinct_category: DistinctCategory.optional() }),
      ignored: ["day_index", "last_run_date"],
      answer: ParamValues,
      errors: [409],
      async handle({ body }) {
        await params.change(body)
        return reads.params()
      },
    }),
    route("GET /status", {
      summary:
        "Table sizes of the last run, the parameters, the size of each category's pool, and whether a run is in progress.",
      answer: z.object({
        db_len: z.record(z.string(), z.int()),
        params: ParamValues,
        pool: z.record(z.string(), z.int()),
        running: z.boolean(),
      }),
      handle: () => reads.status(),
    }),
  ]
}
