/* Guests of the restaurant: they fill their carts, order, and pay in cash. */

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
    const login = async (username: string, password: string) =>
      (await call("POST /login", { username, password }))["accessToken"] as string
    const boss = await login(admin.email, admin.password)

    const dishes: string[] = []
    for (const [name, plates] of Object.entries(MENU)) {
      const { id: categoryId } = await call("POST /api/categories", { name, description: `Our ${name}.` }, boss)
      for (const [dish, price] of plates) {
        const stock = 200 + random.below(200)
        const made = await call("POST /api/dishes", { name: dish, price, categoryId, stock }, boss)
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

    const choose = (guest: string) =>
      call("POST /cart/add-dish", { dishId: random.pick(dishes), quantity: 1 + random.below(3) }, guest)
    const order = async (guest: string) => {
      for (let i = random.below(3); i >= 0; i--) await choose(guest)
      return call("POST /cart/checkout", { ...RECEIVER, paymentMethod: "CASH" }, guest)
    }
    for (const guest of guests) for (let i = 0; i < 4; i++) await order(guest)
    for (const guest of guests.slice(0, 5)) await choose(guest)

    return {
      act: () => {
        const guest = random.pick(guests)
        if (random.chance(15)) return order(guest)
        if (random.chance(25)) return choose(guest)
        if (random.chance(40)) return call("GET /cart", undefined, guest)
        return call("GET /api/dishes?pageSize=20", undefined, guest)
      },
    }
  }
