/* The restaurant's routes: each connection is a separate buyer, with separate dishes,
 * so that the route is measured, not contention for one dish. */

import { asked } from "./ask.ts"
import type { LoadRequest } from "./http-load.ts"
import type { MeasuredRoute } from "./routes.ts"

const admin = { email: "admin@example.com", password: "bench-password" }
const LINES = 5
export const args = [
  ["adminEmail", admin.email],
  ["adminPassword", admin.password],
  // Each buyer orders for as long as it is measured, and nobody confirms it.
  ["mostOpenOrders", "1000000"],
  ["jwtSecret", "bench-secret-0123456789-0123456789"],
].flatMap(([name, value]) => ["--set", `restaurant.${name}=${value}`])

export const add = (token: string, dishId: string): LoadRequest => ({
  method: "POST",
  path: "/cart/add-dish",
  token,
  body: { dishId, quantity: 1 },
  status: 201,
})

const login = async (url: string, username: string): Promise<string> =>
  (await asked(url, "POST /login", { username, password: admin.password }))["accessToken"]!

/** Their tokens. */
export const administrator = (url: string): Promise<string> => login(url, admin.email)
export async function register(url: string, name: string): Promise<string> {
  const email = `${name}@example.com`
  await asked(url, "POST /register", { username: email, email, password: admin.password, phone: "1", address: "x" })
  return login(url, email)
}

/** For each connection, a buyer's token and five dishes. */
async function buyers(url: string, count: number): Promise<{ token: string; dishes: string[] }[]> {
  const boss = await administrator(url)
  const category = await asked(url, "POST /api/categories", { name: "Bench" }, boss)
  const run = Date.now().toString(36)
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const token = await register(url, `buyer-${run}-${i}`)
      const dish = { name: "Phở", price: 50_000, categoryId: category["id"], stock: 1_000_000_000 }
      const dishes = await Promise.all(
        Array.from({ length: LINES }, async () => (await asked(url, "POST /api/dishes", dish, boss))["id"]!),
      )
      return { token, dishes }
    }),
  )
}

export const restaurantRoutes: readonly MeasuredRoute[] = [
  {
    name: "POST /cart/add-dish",
    system: "restaurant",
    args,
    roundTrips: "<=4",
    prepare: async (url, connections) =>
      (await buyers(url, connections)).map(({ token, dishes }) => [add(token, dishes[0]!)]),
  },
  {
    name: "five lines and POST /cart/checkout",
    system: "restaurant",
    args,
    roundTrips: "<=25",
    goal: ">=0.95",
    prepare: async (url, connections) =>
      (await buyers(url, connections)).map(({ token, dishes }) => [
        ...dishes.map((dish) => add(token, dish)),
        { method: "POST", path: "/cart/checkout", token, body: { paymentMethod: "CASH" }, status: 201 },
      ]),
  },
]
