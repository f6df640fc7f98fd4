/* The restaurant's routes: each connection is a buyer of his own, with dishes of his own,
 * so that what is measured is the way and not the queue before one dish. */

import type { LoadRequest } from "./http-load.ts"
import type { MeasuredRoute } from "./routes.ts"

const admin = { email: "admin@example.com", password: "bench-password" }
const LINES = 5
const args = [
  ["adminEmail", admin.email],
  ["adminPassword", admin.password],
  ["jwtSecret", "bench-secret-0123456789-0123456789"],
].flatMap(([name, value]) => ["--set", `restaurant.${name}=${value}`])

const add = (token: string, dishId: string): LoadRequest => ({
  method: "POST",
  path: "/cart/add-dish",
  token,
  body: { dishId, quantity: 1 },
  status: 201,
})

async function post(url: string, path: string, body: object, token = ""): Promise<Record<string, string>> {
  const headers = { "content-type": "application/json", ...(token !== "" && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, string>
}

/** For each connection, a buyer's token and five dishes. */
async function buyers(url: string, count: number): Promise<{ token: string; dishes: string[] }[]> {
  const login = async (username: string) =>
    (await post(url, "/login", { username, password: admin.password }))["accessToken"]!
  const boss = await login(admin.email)
  const category = await post(url, "/api/categories", { name: "Bench" }, boss)
  const run = Date.now().toString(36)
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const email = `buyer-${run}-${i}@example.com`
      await post(url, "/register", { username: email, email, password: admin.password, phone: "1", address: "x" })
      const dish = { name: "Phở", price: 50_000, categoryId: category["id"], stock: 1_000_000_000 }
      const dishes = await Promise.all(
        Array.from({ length: LINES }, async () => (await post(url, "/api/dishes", dish, boss))["id"]!),
      )
      return { token: await login(email), dishes }
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
    prepare: async (url, connections) =>
      (await buyers(url, connections)).map(({ token, dishes }) => [
        ...dishes.map((dish) => add(token, dish)),
        { method: "POST", path: "/cart/checkout", token, body: { paymentMethod: "CASH" }, status: 201 },
      ]),
  },
]
