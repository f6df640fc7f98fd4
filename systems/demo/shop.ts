/* Visitors of the shop: they log in, look at things, and put some into their carts. */

import { NAMES, type Play } from "./people.ts"

const GOODS = [
  "Desk lamp",
  "Tablet",
  "Kettle",
  "Backpack",
  "Headphones",
  "Notebook",
  "Bicycle bell",
  "Raincoat",
  "Teapot",
  "Camera strap",
  "Sketch book",
  "Wool blanket",
  "Chess set",
  "Garden shears",
  "Alarm clock",
  "Fountain pen",
  "Field glasses",
  "Mug",
  "Picture frame",
  "Scarf",
]

export const shopVisitors: Play = async ({ call, admin }, random) => {
  const items = GOODS.map((_, i) => String(200 + i))
  for (const [i, item] of items.entries()) {
    const row = { qty: random.below(300), name: GOODS[i], description: `${GOODS[i]}, as good as new.` }
    await admin(`PUT /source/rows/${item}`, row)
    if (i % 4 === 0) await admin(`PUT /rows/${item}/schedule`, { delay: 60 })
  }
  const tokens: string[] = []
  const arrive = async () => {
    const { token } = await call("POST /login", { user: random.pick(NAMES) })
    tokens.push(token as string)
  }
  const look = (token: string) => call("POST /views", { item: popular() }, token)
  /** Some things are looked at more than others. */
  const popular = () => items[Math.min(random.below(items.length), random.below(items.length))]!
  const take = (token: string) => call(`PUT /cart/items/${popular()}`, { quantity: 1 + random.below(3) }, token)

  for (let i = 0; i < 40; i++) await arrive()
  for (let i = 0; i < 200; i++) await look(random.pick(tokens))
  for (let i = 0; i < 50; i++) await take(random.pick(tokens))

  return {
    act: () => {
      const token = random.pick(tokens)
      if (random.chance(5)) return arrive()
      if (random.chance(20)) return take(token)
      if (random.chance(20)) return call(`GET /pages?item=${popular()}`)
      if (random.chance(20)) return call(`GET /inventory/${popular()}`)
      return look(token)
    },
  }
}
