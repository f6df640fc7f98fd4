/* What hurried scripts write into the systems' databases, as they see it: plain keys,
 * with none of the rules that the systems' own schemas declare. */

import { counter, int, keyspace, map, set, string, text } from "keywright"

export const hurried = {
  shop: keyspace(
    {
      login: map("login:", text, text),
      importNote: string("tmp:import:{n}", text, { params: { n: int } }),
    },
    { ttl: "never" },
  ),
  messaging: keyspace(
    {
      subscribers: set("P:{project}:S:{service}:Ch:{channel}:Sub", text),
      typing: string("P:{project}:S:{service}:Typing:{user}", text),
    },
    { ttl: "never" },
  ),
  carto: keyspace({ table: string("rails:{database}:{table}", text) }, { ttl: "never" }),
  recommender: keyspace({ preference: string("{user}_clg_preference", text) }, { ttl: "never" }),
  restaurant: keyspace(
    {
      dish: string("dish:{id}", text),
      dishCounter: counter("dish:counter"),
      dishesOf: set("dish:index:category:{category}", text),
      dishesOfToo: set("category:{category}:dishes", text),
      userOf: string("user:index:email:{email}", text),
      cartCache: string("cache:cart:{user}", text),
      report: string("report:{month}", text),
    },
    { ttl: "never" },
  ),
}
