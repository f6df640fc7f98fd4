/* A cache in front of a database: loaded once for all who wait, served stale while it is loaded again,
 * and invalidated so that no old value comes back. */

import { connect, int, json, keyspace, string } from "keywright"
import * as z from "zod"

const Product = z.object({ name: z.string(), price: z.number() })

export const shop = keyspace(
  {
    product: string("product:{id}", json(Product), {
      ttl: "10m",
      evictable: true,
      params: { id: int },
      doc: "A row of the products table.",
    }),
  },
  { name: "shop" },
)

const db = await connect(shop)
const table = new Map([[7, { name: "Soup", price: 4 }]])
let queries = 0

export const product = (id: number) =>
  db.product({ id }).cached(
    async () => {
      queries += 1
      return table.get(id) // undefined: nothing is stored
    },
    { staleFor: "1m", refreshEarly: "30s", onUnavailable: "load" },
  )

/** While the source changes, nobody stores what they read before. */
export const setPrice = (id: number, price: number) =>
  db.product({ id }).invalidateWhile(async () => {
    table.set(id, { ...table.get(id)!, price })
  })

await Promise.all(Array.from({ length: 100 }, () => product(7)))
console.log(queries, await product(7)) // → 1 { name: 'Soup', price: 4 }

await setPrice(7, 5)
console.log((await product(7))?.price, queries) // → 5 2
console.log(await product(8)) // → undefined
await db.$close()
