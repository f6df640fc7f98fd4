/* Guests of the restaurant: they fill their carts, order, and pay in cash. */

import { loggedIn } from "./caller.ts"
import { NAMES, type Play } from "./people.ts"

const MENU: Readonly<Record<string, readonly (readonly [name: string, price: number])[]>> = {
  Soups: [
    ["Pho bo", 65_000],
    ["Bun rieu", 55_000],
    ["Canh chua", 48_000],
  ],
  Rice: [
    ["Com tam", 52_000],
    ["Com ga", 58_000],
    ["Com chien", 45_000],
  ],
  Rolls: [
    ["Goi cuon", 35_000],
    ["Cha gio", 38_000],
  ],
  Drinks: [
    ["Ca phe sua da", 25_000],
    ["Tra da", 5000],
    ["Nuoc mia", 18_000],
  ],
}
const RECEIVER = { receiverName: "A guest", receiverPhone: "0901234567", receiverAddress: "1 Le Loi, Ho Chi Minh City" }
const GUESTS = NAMES.slice(0, 8)
/** An account for those who open the page: nobody else orders with it. */
export const VISITOR = "visitor"

export const restaurantGuests =
  (admin: { readonly email: string; readonly password: string }): Play =>
  async ({ call }, random) => {
    const login = (username: string, password: string) =>
      loggedIn(call, async () => (await call("POST /login", { username, password }))["accessToken"] as string)
    const boss = await login(admin.email, admin.password)

    const dishes: string[] = []
    for (const [name, plates] of Object.entries(MENU)) {
      const { id: categoryId } = await boss("POST /api/categories", { name, description: `Our ${name}.` })
      for (const [dish, price] of plates) {
        const stock = 200 + random.below(200)
        const made = await boss("POST /api/dishes", { name: dish, price, categoryId, stock })
        dishes.push(made["id"] as string)
      }
    }

    const [, ...guests] = await Promise.all(
      [VISITOR, ...GUESTS].map(async (username) => {
        const [email, password] = [`${username}@example.com`, `demo-${username}-2024`]
        await call("POST /register", { username, email, password, phone: "0901234567" })
        return login(email, password)
      }),
    )

    type Guest = (typeof guests)[number]
    const choose = (guest: Guest) =>
      guest("POST /cart/add-dish", { dishId: random.pick(dishes), quantity: 1 + random.below(3) })
    const order = async (guest: Guest) => {
      for (let i = random.below(3); i >= 0; i--) await choose(guest)
      return guest("POST /cart/checkout", { ...RECEIVER, paymentMethod: "CASH" })
    }
    /** Often enough that nothing is ever sold out. */
    const restock = () => boss(`POST /api/dishes/${random.pick(dishes)}/stock`, { stock: 200 + random.below(200) })
    for (const guest of guests) for (let i = 0; i < 4; i++) await order(guest)
    for (const guest of guests.slice(0, 5)) await choose(guest)

    return {
      act: () => {
        const guest = random.pick(guests)
        if (random.chance(15)) return order(guest)
        if (random.chance(25)) return choose(guest)
        if (random.chance(40)) return guest("GET /cart")
        if (random.chance(10)) return restock()
        return guest("GET /api/dishes?pageSize=20")
      },
    }
  }
