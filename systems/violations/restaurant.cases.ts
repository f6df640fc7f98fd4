/* What the restaurant's document forbids. */

import { rows, texts, type Violations } from "./violation.cases.ts"

export const restaurant: Violations = async (ask) => {
  const at = async (key: string) => JSON.parse(String(await ask("GET", key))) as Record<string, unknown>
  const set = async (key: string, change: object) =>
    `SET ${key} '${JSON.stringify({ ...(await at(key)), ...change }).replaceAll("'", "\\u0027")}'`
  const orders = texts(await ask("SMEMBERS", "order:list")).sort()
  const [order, second, third] = orders as [string, string, string]
  const lines = texts(await ask("SMEMBERS", "cartDetail:list")).sort() as [string, string]
  const carts = texts(await ask("SMEMBERS", "cart:list")).sort() as [string, string, string, string, string]
  const details = texts(await ask("SMEMBERS", `order:${third}:details`))
  const ownerOf = async (cart: string) => String((await at(`cart:${cart}`))["userId"])
  /** The cart of one user, as it would be cached for another. */
  const cache = async (cart: string, user: string) => {
    const lines = await Promise.all(
      texts(await ask("SMEMBERS", `cart:${cart}:items`)).map((id) => at(`cartDetail:${id}`)),
    )
    const items = lines.map((line) => ({ ...line, cartId: undefined }))
    return `SET cache:cart:${user} ${JSON.stringify({ id: cart, items })}`
  }
  const [, owner, ofThird, ofFourth, ofFifth] = (await Promise.all(carts.map(ownerOf))) as [
    string,
    string,
    string,
    string,
    string,
  ]
  /** A record that belongs to something which does not exist, with its indexes as they would be then. */
  const moved = async (entity: string, id: string, field: string, index: string, mirror: (to: string) => string) => {
    const from = String((await at(`${entity}:${id}`))[field])
    return [
      await set(`${entity}:${id}`, { [field]: "999" }),
      ...[`${entity}:index:${index}:${from}`, mirror(from)].map((key) => `SREM ${key} ${id}`),
      ...[`${entity}:index:${index}:999`, mirror("999")].map((key) => `SADD ${key} ${id}`),
    ]
  }
  const methods = await Promise.all(orders.map(async (id) => (await at(`order:${id}`))["paymentMethod"]))
  const cash = orders.filter((_, i) => i > 4 && methods[i] === "CASH")
  return rows([
    ["a gender", await set("user:2", { gender: "UNKNOWN" }), "VALUE.UNDECODABLE user:2", "never"],
    ["a method", await set("permission:1", { method: "PATCH" }), "VALUE.UNDECODABLE permission:1", "never"],
    ["a price is a number", await set("dish:1", { price: "50000" }), "VALUE.UNDECODABLE dish:1", "never"],
    ["an order's status", await set(`order:${order}`, { status: "LOST" }), `VALUE.UNDECODABLE order:${order}`, "never"],
    ["the id is that of the key", await set("category:1", { id: "category_1" }), "ENTITY.ID category:1", "never"],
    ["a role of the user", await set("user:3", { roleId: "99" }), "REFERENCE.MISSING user:3", "never"],
    [
      "a line of a dish",
      await set(`cartDetail:${lines[1]}`, { dishId: "999" }),
      `REFERENCE.MISSING cartDetail:${lines[1]}`,
      "never",
      "alone",
    ],
    [
      "a dish of a category",
      await moved("dish", "5", "categoryId", "category", (to) => `category:${to}:dishes`),
      "REFERENCE.MISSING dish:5",
      "never",
      "alone",
    ],
    [
      "an order of a user",
      await moved("order", order, "userId", "user", (to) => `user:${to}:orders`),
      `REFERENCE.MISSING order:${order}`,
      "never",
      "alone",
    ],
    ["an entity never expires", "PEXPIRE dish:3 1000000", "TTL.UNEXPECTED dish:3", "always"],
    ["both sets of a category's dishes", "SREM category:2:dishes 4", "MIRROR.MISSING category:2:dishes", "always"],
    [
      "an index by e-mail leads to a user",
      "SET user:index:email:ghost@example.com 99",
      "UNIQUE.DANGLING user:index:email:ghost@example.com",
      "always",
    ],
    ["all ids are in the list", "SREM role:list 1", "LIST.MISSING role:list", "always"],
    ["a list holds ids of entities", "SADD dish:list 999", "LIST.DANGLING dish:list", "always"],
    ["a counter is not behind", "SET permission:counter 1", "COUNTER.BEHIND permission:counter", "always"],
    ["a role's permissions exist", "SADD role:1:permissions 999", "THROUGH.DANGLING role:1:permissions", "always"],
    [
      "a payment reference leads to an order",
      "SET order:index:paymentRef:VNPAY999 999",
      "REFERS.DANGLING order:index:paymentRef:VNPAY999",
      "always",
    ],
    ["a cache has a TTL", await cache(carts[2], ofThird), `TTL.MISSING cache:cart:${ofThird}`, "always"],
    [
      "a line's total is its price times its quantity",
      await set(`cartDetail:${lines[0]}`, { total: 1 }),
      `CART_DETAIL.TOTAL cartDetail:${lines[0]}`,
      "never",
    ],
    ["an order's total", await set(`order:${second}`, { totalPrice: 1 }), `ORDER.TOTAL order:${second}`, "never"],
    [
      "an order has details",
      [
        `DEL order:${third}:details orderDetail:index:order:${third} ${details.map((id) => `orderDetail:${id}`).join(" ")}`,
        `SREM orderDetail:list ${details.join(" ")}`,
      ],
      `ORDER.TOTAL order:${third}`,
      "never",
    ],
    ["there is no less than nothing", await set("dish:5", { stock: -1 }), "DISH.STOCK dish:5", "never"],
    ["nobody sold less than nothing", await set("dish:6", { soldToday: -1 }), "DISH.SOLD_TODAY dish:6", "never"],
    [
      "items are loaded apart",
      await set(`cart:${carts[0]}`, { items: [] }),
      `RECORD.TRANSIENT cart:${carts[0]}`,
      "never",
    ],
    ["a user's role is not stored", await set("user:4", { role: { id: "1" } }), "RECORD.TRANSIENT user:4", "never"],
    ["nor a role's permissions", await set("role:2", { permissionIds: ["1"] }), "RECORD.TRANSIENT role:2", "never"],
    ["passwords are hashed", await set("user:5", { password: "secret" }), "USER.PASSWORD user:5", "never"],
    [
      "a payment reference leads to its order",
      await set(`order:${orders[3]}`, { paymentMethod: "VNPAY", paymentRef: `VNPAY${orders[3]}` }),
      `PAYMENT_REF.MISSING order:${orders[3]}`,
      "never",
    ],
    [
      "and not to another",
      `SET order:index:paymentRef:VNPAY998 ${orders[4]}`,
      "PAYMENT_REF.STALE order:index:paymentRef:VNPAY998",
      "never",
    ],
    ["both indexes of a user's cart", `SET user:${owner}:cart 99`, `MIRROR.DANGLING user:${owner}:cart`, "always"],
    ["an instant", await set("dish:7", { createdAt: "yesterday" }), "VALUE.UNDECODABLE dish:7", "never"],
    [
      "a quantity is a number",
      await set(`cartDetail:${lines[1]}`, { quantity: "2" }),
      `VALUE.UNDECODABLE cartDetail:${lines[1]}`,
      "never",
    ],
    [
      "permissions of a role that exists",
      "SADD role:99:permissions 1",
      "THROUGH.ORPHAN role:99:permissions",
      "orphans",
    ],
    [
      "an index leads to the role of its name",
      "DEL role:index:name:STAFF",
      "UNIQUE.MISSING role:index:name:STAFF",
      "always",
    ],
    ["a counter is a number", "SET category:counter abc", "COUNTER.NOT_A_NUMBER category:counter", "always"],
    ["dishes of a category", "SADD category:99:dishes 1", "MIRROR.STALE category:99:dishes", "always"],
    [
      "a cache has its time",
      `${await cache(carts[3], ofFourth)} EX 5000`,
      `TTL.TOO_LONG cache:cart:${ofFourth}`,
      "always",
    ],
    ["no other keys", "SET cart:byStatus:OPEN 1", "KEY.UNKNOWN cart:byStatus:OPEN", "unknown"],
    ["no other fields", await set("category:2", { colour: "red" }), "RECORD.UNDECLARED category:2", "never"],
    ["a path of the API", await set("permission:2", { apiPath: "api/users" }), "PERMISSION.PATH permission:2", "never"],
    [
      "an order through VNPay has a reference",
      await set(`order:${cash[0]}`, { paymentMethod: "VNPAY", paymentRef: null }),
      `PAYMENT_REF.METHOD order:${cash[0]}`,
      "never",
    ],
    [
      "one in cash has none",
      [await set(`order:${cash[1]}`, { paymentRef: "X77" }), `SET order:index:paymentRef:X77 ${cash[1]}`],
      `PAYMENT_REF.METHOD order:${cash[1]}`,
      "never",
    ],
    [
      "what was delivered is paid",
      await set(`order:${cash[2]}`, { status: "DELIVERED", paymentStatus: "PAYMENT_UNPAID" }),
      `ORDER.PAYMENT order:${cash[2]}`,
      "never",
    ],
    [
      "what is paid is confirmed",
      await set(`order:${cash[3]}`, { status: "PENDING", paymentStatus: "PAID" }),
      `ORDER.PAYMENT order:${cash[3]}`,
      "never",
    ],
    [
      "a cached cart is that of its user",
      `${await cache(carts[4], "1")} EX 290`,
      "CART_CACHE.OTHER cache:cart:1",
      "never",
    ],
    [
      "and has its lines",
      `SET cache:cart:${ofFifth} {"id":"${carts[4]}","items":[]} EX 290`,
      `CART_CACHE.OTHER cache:cart:${ofFifth}`,
      "never",
    ],
  ])
}
