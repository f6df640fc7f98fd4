/* The slips of the five documents, in a few lines of each: check --doc finds them
 * and nothing else. */

import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { checkPage } from "../packages/keywright/src/inspect/check/check-page.ts"
import { carto } from "../systems/carto/schema.ts"
import { messaging } from "../systems/messaging/schema.ts"
import { recommender } from "../systems/recommender/schema.ts"
import { restaurant } from "../systems/restaurant/schema.ts"
import { shop } from "../systems/shop/schema.ts"

type AnyKeyspace = Parameters<typeof checkPage>[0]

const slips: Record<string, { keyspace: unknown; expected: string[] }> = {
  shop: {
    keyspace: shop,
    expected: [
      "PAGE.ID_TWO_WAYS 7 the stock.row id is spelled two ways: 237 and 273",
      "PAGE.SPELLED_DIFFERENTLY 17 viewed: EB9382CA-0376-4558-B271-EA230BDB7EAF is spelled viewed:{token} in the schema, without a space",
    ],
  },
  messaging: {
    keyspace: messaging,
    expected: [
      "PAGE.SPELLED_DIFFERENTLY 28 Channel:{channel_id}:Subscribers is spelled P:{project}:S:{service}:Ch:{channel}:Sub in the schema",
      "PAGE.SPELLED_DIFFERENTLY 29 Channel:{channel_id}:Owners is spelled P:{project}:S:{service}:Ch:{channel}:Own in the schema",
      "PAGE.SPELLED_DIFFERENTLY 41 Channel:{channel_id}:JoinRequests is spelled P:{project}:S:{service}:Ch:{channel}:JR in the schema",
      'PAGE.BROKEN_VALUE 45 "tenant:"123" has a quote in the wrong place: "tenant":"123"',
      "PAGE.SPELLED_DIFFERENTLY 50 Projects:456:Services:789:RefreshTokens:{token_1} is spelled P:{project}:S:{service}:RefTok:{token} in the schema",
      "PAGE.SPELLED_DIFFERENTLY 51 Projects:456:Services:789:AccessTokens:{token_2} is spelled P:{project}:S:{service}:AccTok:{token} in the schema",
    ],
  },
  carto: {
    keyspace: carto,
    expected: [
      "PAGE.DATE 13 2011-10-3 is not a date in the form that the keys have: 2011-10-03",
      "PAGE.SPELLED_DIFFERENTLY 30 stat_tag:<visualization_id> is spelled user:{username}:mapviews:stat_tag:{visualization} in the schema",
    ],
  },
  recommender: {
    keyspace: recommender,
    expected: [
      "PAGE.WRONG_TYPE 6,7 r.get('rs_param', …) is a command for a string; rs_param is a hash",
      'PAGE.WRONG_TYPE 21 the page calls {user_id}_liked_posts "set (zset)"; it is declared as set',
      "PAGE.SPELLED_DIFFERENTLY 26 123_clg_preference is spelled {user}_clgs_preference in the schema",
    ],
  },
  restaurant: {
    keyspace: restaurant,
    expected: [
      'PAGE.ID_DIFFERS 24 dish:789 is given a record whose id is "dish_789"',
      "PAGE.ID_TWO_WAYS 25 the dish id is spelled two ways: 789 and dish_789",
    ],
  },
}

const page = (name: string) => ({
  file: `${name}.md`,
  text: readFileSync(new URL(`pages/${name}.md`, import.meta.url), "utf8"),
})

describe("a hand-written page", () => {
  for (const [name, { keyspace, expected }] of Object.entries(slips)) {
    it(`${name}: its slips are found, and nothing else`, () => {
      const found = checkPage(keyspace as AnyKeyspace, page(name))
      const lines = found.map(
        ({ code, at, alsoLines = [], message }) => `${code} ${[at?.line, ...alsoLines].join(",")} ${message}`,
      )
      expect(lines).toEqual(expected)
    })
  }

  it("is clean when it is generated", async () => {
    const { markdown } = await import("../packages/keywright/src/render/page/markdown.ts")
    for (const { keyspace } of Object.values(slips)) {
      const text = markdown(keyspace as AnyKeyspace)
      expect(checkPage(keyspace as AnyKeyspace, { file: "generated.md", text })).toEqual([])
    }
  })
})
