/* Typical damage: hurried scripts, each of which forgot something. What audit reports is
 * noted after each line. */

import { connect, type Target } from "keywright"
import { hurried } from "./schema.ts"

/** By system: where its keys are. */
export type Places = Readonly<Partial<Record<string, number>>>

export async function doDamage(target: Target, places: Places): Promise<void> {
  for (const [name, careless] of Object.entries(damages)) {
    const db = places[name]
    if (db !== undefined) await careless(target, db)
  }
}

type Careless = (target: Target, db: number) => Promise<void>

const damages: Readonly<Record<string, Careless>> = {
  async shop(target, place) {
    const db = await connect(hurried.shop, target, { db: place })
    const [session] = await db.login().fields()
    if (session !== undefined) await db.login().remove(session) // still in `recent:`, with its views and its cart
    await db.importNote({ n: 17 }).set("half done") // nobody declared it
    await db.$close()
  },

  async messaging(target, place) {
    const db = await connect(hurried.messaging, target, { db: place })
    const [project, service] = ["456", "789"]
    await db.subscribers({ project, service, channel: "general" }).persist() // the others of its family expire
    await db.typing({ project, service, user: "ada" }).set("1") // nobody declared it
    await db.$close()
  },

  async carto(target, place) {
    const db = await connect(hurried.carto, target, { db: place })
    await db.table({ database: "cartodb_user_1", table: "lost" }).set("{}") // a string where a hash belongs
    await db.$close()
  },

  async recommender(target, place) {
    const db = await connect(hurried.recommender, target, { db: place })
    await db.preference({ user: "1" }).set("4") // misspelt: `clg` for `clgs`
    await db.$close()
  },

  async restaurant(target, place) {
    const db = await connect(hurried.restaurant, target, { db: place })
    const dish = await db.dish({ id: "2" }).get()
    if (dish !== undefined) {
      const moved = { ...(JSON.parse(dish) as object), categoryId: "3" }
      await db.dish({ id: "2" }).set(JSON.stringify(moved)) // its indexes still say category 1
    }
    await db.dishesOf({ category: "1" }).add("999") // a dish that is not there
    await db.dishesOfToo({ category: "2" }).remove("5") // the mirror lacks what the index has
    await db.userOf({ email: "ghost@example.com" }).set("99") // a user who is not there
    await db.dishCounter().set(3) // ids above it are in use
    await db.cartCache({ user: "2" }).set('{"id":"1","items":[]}') // never expires
    await db.report({ month: "2024-01" }).set("…") // nobody declared it
    await db.$close()
  },
}
