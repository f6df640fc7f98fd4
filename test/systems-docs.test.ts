/* The page of each system is made from its schema, and is committed: it says what is so. */

import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { markdown } from "../packages/keywright/src/render/page/markdown.ts"
import { replacePart } from "../packages/keywright/src/render/replace-part.ts"
import { checkSchema } from "../packages/keywright/src/inspect/check/check-schema.ts"
import { failing } from "../packages/keywright/src/inspect/check/check-finding.ts"
import { carto } from "../systems/carto/schema.ts"
import { messaging } from "../systems/messaging/schema.ts"
import { recommender } from "../systems/recommender/schema.ts"
import { restaurant } from "../systems/restaurant/schema.ts"
import { shop } from "../systems/shop/schema.ts"

type AnyKeyspace = Parameters<typeof markdown>[0]

for (const [name, keyspace] of Object.entries({ carto, messaging, recommender, restaurant, shop })) {
  it(`systems/${name}/README.md is up to date (npx keywright docs --config systems/${name} --into systems/${name}/README.md)`, () => {
    const text = readFileSync(new URL(`../systems/${name}/README.md`, import.meta.url), "utf8")
    expect(replacePart(text, markdown(keyspace as AnyKeyspace, { level: 2 }))).toBe(text)
  })

  it(`the schema of ${name} has no weak spots`, () => {
    expect(failing(checkSchema(keyspace as AnyKeyspace))).toBe(false)
  })
}
