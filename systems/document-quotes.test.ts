/* What the pages quote: every key of the documents has its sentence, every quote belongs to a
 * key or a route that there is, and its requirement to its own system. */

import { describe, expect, it } from "vitest"
import { catalog } from "./catalog.ts"
import type { Keyspace } from "keywright"
import { readSettings } from "./platform/settings.ts"

const PREFIXES: Readonly<Record<string, string>> = {
  shop: "SHOP",
  messaging: "MSG",
  carto: "CDB",
  recommender: "REC",
  restaurant: "RST",
}

describe.each(Object.keys(catalog))("%s", (name) => {
  it("quotes a sentence for every key of its document", async () => {
    const { schema, settings, document } = await catalog[name]!()
    const keys = (schema(readSettings({ [name]: settings }, [])[name] as never) as Keyspace).keys
    const own = keys.filter(({ pattern }) => !pattern.includes("keywright:")).map((key) => key.name)
    expect(Object.keys(document!.keys).sort()).toEqual(own.sort())
    for (const [id, text] of [...Object.values(document!.keys), ...Object.values(document!.routes)]) {
      expect(id).toMatch(new RegExp(`^${PREFIXES[name]}-[A-Z]?\\d+$`))
      expect(text.length).toBeGreaterThan(4)
    }
  })
})
