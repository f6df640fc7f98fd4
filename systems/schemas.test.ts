import { expect, test } from "vitest"
import { carto } from "./carto/schema.ts"
import { restaurant } from "./restaurant/schema.ts"
import { recommender } from "./recommender/schema.ts"
for (const s of [carto, recommender, restaurant])
  test("x", () => {
    console.log(
      s.keys
        .map((k) => [k.db, k.name, k.pattern, k.kind, JSON.stringify(k.ttl), k.rivals.join()].join("  "))
        .join("\n"),
    )
  })
