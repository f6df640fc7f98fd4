import * as z from "zod"
import { wholeInQuery } from "../../platform/http/fields.ts"
import { route } from "../../platform/http/route.ts"
import { writtenInTurns } from "../../platform/http/written-together.ts"
import type { ShopContext } from "../context.ts"
import type { Popularity } from "../services/popularity.ts"

/** What a page shows at once; more is read in turn, since anybody may ask for it, as often as they like. */
const SHORT_LIST = 20

export function popularRoutes(popularity: Popularity, { redis, addressOf }: Pick<ShopContext, "redis" | "addressOf">) {
  const top = async (limit: number, offset: number) => ({ items: await popularity.top(limit, offset) })
  const long = writtenInTurns(redis, "long lists", (name) => {
    const [limit, offset] = name.split(" ")
    return top(Number(limit), Number(offset))
  })
  return [
    route("GET /popular", {
      summary: "The most viewed items.",
      query: { limit: wholeInQuery(100, 1, 1000), offset: wholeInQuery(0, 0, 1_000_000_000) },
      answer: z.object({ items: z.array(z.object({ item: z.string(), views: z.number() })) }),
      errors: [429],
      handle: ({ query: { limit, offset }, http }) =>
        // With shards, what comes before the offset is read, too.
        offset + limit <= SHORT_LIST ? top(limit, offset) : long(addressOf(http.env.incoming), `${limit} ${offset}`),
    }),
  ]
}
