/* The restaurant's routes by hand: the same documents and index entries, the same checks,
 * and one script that writes only what was decided on what still stands there. Ids come
 * from INCR before it, so that a refused write leaves a gap, and what is read is taken
 * as it is: nothing is validated. Sessions end with their password and by logout, as ours do. */

import { createHmac, randomUUID } from "node:crypto"

const SECRET = "bench"
const sign = (text) => createHmac("sha256", SECRET).update(text).digest("base64url")
/** For the stored hash: a session ends with the password that it began with. */
const markOf = ({ password }) => sign(password).slice(0, 22)
const tokenFor = (id, user) => {
  const claims = { sub: id, sid: randomUUID(), pwd: user && markOf(user), exp: Date.now() / 1000 + 3600 }
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url")
  return `${payload}.${sign(payload)}`
}

/**
 * Writes when everything is as it was read: KEYS the strings, then the cart's set of lines; ARGV how many strings, what
 * they were, how many lines. Ids are used once, and the lines themselves are among the strings: so the number tells.
 */
const GUARDED = `
local count = tonumber(ARGV[1])
for i = 1, count do
  local found = redis.call("GET", KEYS[i]) or ""
  if found ~= ARGV[i + 1] then return 0 end
end
if KEYS[count + 1] and redis.call("SCARD", KEYS[count + 1]) ~= tonumber(ARGV[count + 2]) then return 0 end
local at = count + 3
while at <= #ARGV do
  local count = tonumber(ARGV[at])
  redis.call(unpack(ARGV, at + 1, at + count))
  at = at + count + 1
end
return 1`

export async function routes(app, client) {
  const sha = await client.scriptLoad(GUARDED)
  const guarded = async (read, cartId, lines, commands) => {
    const flat = commands.flatMap((command) => [String(command.length), ...command.map(String)])
    const values = read.map(([, value]) => value ?? "")
    const keys = read.map(([key]) => key)
    if (cartId !== null) keys.push(`cart:${cartId}:items`)
    return client.evalSha(sha, { keys, arguments: [String(read.length), ...values, String(lines), ...flat] })
  }
  const now = () => new Date().toISOString()
  const stamps = () => ({ createdAt: now(), updatedAt: now() })
  const audited = (by) => ({ ...stamps(), createdBy: by, updatedBy: by })
  const next = async (entity) => String(await client.incr(`${entity}:counter`))

  // What the role of a customer is allowed: the same ten as ours.
  const allowed = [
    ["GET", "/cart"],
    ["GET", "/cart/get-all-dish"],
    ["DELETE", "/cart"],
    ["POST", "/cart/add-dish"],
    ["PUT", "/cart/update-dish"],
    ["DELETE", "/cart/delete-dish/{id}"],
    ["POST", "/cart/checkout"],
    ["GET", "/api/orders/mine"],
    ["GET", "/api/orders/{id}"],
    ["POST", "/payment/vnpay/order/{id}"],
  ]
  for (const [method, apiPath] of allowed) {
    const id = await next("permission")
    const permission = { id, name: `${method} ${apiPath}`, apiPath, method, module: "CART", ...audited("system") }
    await client.set(`permission:${id}`, JSON.stringify(permission))
    await client.sAdd("role:1:permissions", id)
  }

  const enter = async (c, path) => {
    const [payload, hash] = (c.req.header("authorization")?.slice(7) ?? "").split(".")
    if (!payload || sign(payload) !== hash) return undefined
    const { sub, sid, pwd, exp } = JSON.parse(Buffer.from(payload, "base64url").toString())
    if (exp < Date.now() / 1000) return undefined
    const [stored, isEnded] = await Promise.all([client.get(`user:${sub}`), client.exists(`session:ended:${sid}`)])
    if (stored === null || isEnded === 1) return undefined
    const user = JSON.parse(stored)
    if (markOf(user) !== pwd) return undefined
    const ids = await client.sMembers(`role:${user.roleId}:permissions`)
    const permissions = await client.mGet(ids.map((id) => `permission:${id}`))
    const allowed = permissions.some((text) => {
      const { apiPath, method } = JSON.parse(text)
      return apiPath === path && method === "POST"
    })
    return allowed ? user : undefined
  }

  app.post("/login", async (c) => {
    const { username } = await c.req.json()
    const id = (await client.get(`user:index:email:${username}`)) ?? "0"
    const stored = await client.get(`user:${id}`)
    return c.json({ accessToken: tokenFor(id, stored && JSON.parse(stored)) })
  })
  app.post("/register", async (c) => {
    const given = await c.req.json()
    const id = await next("user")
    const password = `$argon2id$v=19$m=19456,t=2,p=1$${sign(given.password).slice(0, 22)}$${sign(given.email)}`
    const user = { ...given, id, password, refreshToken: sign(id), gender: null, roleId: "1", ...audited(given.email) }
    await client.set(`user:${id}`, JSON.stringify(user))
    await client.set(`user:index:email:${given.email}`, id)
    return c.json({ id }, 201)
  })
  app.post("/api/categories", async (c) => c.json({ id: await next("category") }, 201))
  app.post("/api/dishes", async (c) => {
    const id = await next("dish")
    const { name, price, categoryId, stock } = await c.req.json()
    const dish = {
      id,
      name,
      description: null,
      price,
      imageUrl: null,
      categoryId,
      stock,
      soldToday: 0,
      available: true,
    }
    await client.set(`dish:${id}`, JSON.stringify({ ...dish, ...stamps() }))
    return c.json({ id }, 201)
  })

  app.post("/cart/add-dish", async (c) => {
    const user = await enter(c, "/cart/add-dish")
    if (!user) return c.json({ error: "unauthorized" }, 401)
    const { dishId, quantity } = await c.req.json()
    if (!/^[\w-]{1,64}$/.test(dishId) || !Number.isInteger(quantity) || quantity < 1 || quantity > 999)
      return c.json({ error: "invalid_input" }, 400)
    const index = `cart:index:user:${user.id}`
    for (let tries = 0; tries < 10; tries++) {
      const [found, dishText] = await Promise.all([client.get(index), client.get(`dish:${dishId}`)])
      if (dishText === null) return c.json({ error: "not_found" }, 404)
      const dish = JSON.parse(dishText)
      const lineIds = found === null ? [] : await client.sMembers(`cart:${found}:items`)
      const texts = lineIds.length === 0 ? [] : await client.mGet(lineIds.map((id) => `cartDetail:${id}`))
      const at = texts.findIndex((text) => JSON.parse(text).dishId === dishId)
      const before = at < 0 ? undefined : JSON.parse(texts[at])
      const wanted = quantity + (before?.quantity ?? 0)
      if (dish.available === false || (dish.stock !== null && dish.stock < wanted))
        return c.json({ error: "conflict" }, 409)
      const cartId = found ?? (await next("cart"))
      const id = before?.id ?? (await next("cartDetail"))
      const line = { id, cartId, dishId, quantity: wanted, price: dish.price, total: dish.price * wanted }
      const commands = [
        ["SET", `cartDetail:${id}`, JSON.stringify(line)],
        ["DEL", `cache:cart:${user.id}`],
      ]
      if (found === null)
        commands.push(
          ["SET", `cart:${cartId}`, JSON.stringify({ id: cartId, userId: user.id, ...audited(user.email) })],
          ["SET", index, cartId],
          ["SET", `user:${user.id}:cart`, cartId],
          ["SADD", "cart:list", cartId],
        )
      if (!before)
        commands.push(
          ["SADD", `cart:${cartId}:items`, id],
          ["SADD", `cartDetail:index:cart:${cartId}`, id],
          ["SADD", "cartDetail:list", id],
        )
      const read = [
        [index, found],
        [`dish:${dishId}`, dishText],
      ]
      for (const [i, lineId] of lineIds.entries()) read.push([`cartDetail:${lineId}`, texts[i]])
      if (await guarded(read, found, lineIds.length, commands)) return c.json(line, 201)
    }
    return c.json({ error: "busy" }, 409)
  })

  app.post("/cart/checkout", async (c) => {
    const user = await enter(c, "/cart/checkout")
    if (!user) return c.json({ error: "unauthorized" }, 401)
    const given = await c.req.json()
    const index = `cart:index:user:${user.id}`
    for (let tries = 0; tries < 10; tries++) {
      const cartId = await client.get(index)
      if (cartId === null) return c.json({ error: "cart_empty" }, 400)
      const lineIds = await client.sMembers(`cart:${cartId}:items`)
      const texts = await client.mGet(lineIds.map((id) => `cartDetail:${id}`))
      const lines = texts.map((text) => JSON.parse(text))
      const dishTexts = await client.mGet(lines.map(({ dishId }) => `dish:${dishId}`))
      const dishes = dishTexts.map((text) => JSON.parse(text))
      if (dishes.some((dish, i) => dish.stock !== null && dish.stock < lines[i].quantity))
        return c.json({ error: "insufficient_stock" }, 409)
      const [orderId, last] = await Promise.all([next("order"), client.incrBy("orderDetail:counter", lines.length)])
      const totalPrice = lines.reduce((sum, { total }) => sum + total, 0)
      const order = {
        id: orderId,
        userId: user.id,
        receiverName: given.receiverName ?? user.username,
        receiverPhone: given.receiverPhone ?? user.phone,
        receiverAddress: given.receiverAddress ?? user.address,
        receiverEmail: given.receiverEmail ?? user.email,
        totalPrice,
        status: "PENDING",
        paymentMethod: "CASH",
        paymentStatus: "PAYMENT_UNPAID",
        paymentRef: null,
        ...stamps(),
      }
      const details = lines.map(({ dishId, quantity, price }, i) => {
        const id = String(last - lines.length + 1 + i)
        return { id, orderId, dishId, quantity, price }
      })
      const commands = [
        ["SET", `order:${orderId}`, JSON.stringify(order)],
        ["SADD", "order:list", orderId],
        ["SADD", `order:index:user:${user.id}`, orderId],
        ["SADD", `user:${user.id}:orders`, orderId],
        ...details.map((detail) => ["SET", `orderDetail:${detail.id}`, JSON.stringify(detail)]),
        ["SADD", "orderDetail:list", ...details.map(({ id }) => id)],
        ["SADD", `order:${orderId}:details`, ...details.map(({ id }) => id)],
        ["SADD", `orderDetail:index:order:${orderId}`, ...details.map(({ id }) => id)],
        ...dishes.map((dish, i) => [
          "SET",
          `dish:${dish.id}`,
          JSON.stringify({
            ...dish,
            stock: dish.stock === null ? null : dish.stock - lines[i].quantity,
            soldToday: dish.soldToday + lines[i].quantity,
            updatedAt: now(),
          }),
        ]),
        ["DEL", `cart:${cartId}`, index, `user:${user.id}:cart`, `cart:${cartId}:items`],
        ["DEL", `cartDetail:index:cart:${cartId}`, `cache:cart:${user.id}`, ...lineIds.map((id) => `cartDetail:${id}`)],
        ["SREM", "cart:list", cartId],
        ["SREM", "cartDetail:list", ...lineIds],
      ]
      const read = [
        [index, cartId],
        ...lineIds.map((id, i) => [`cartDetail:${id}`, texts[i]]),
        ...dishes.map((dish, i) => [`dish:${dish.id}`, dishTexts[i]]),
      ]
      if (await guarded(read, cartId, lineIds.length, commands)) {
        const { status, paymentMethod, paymentStatus } = order
        return c.json({ orderId, status, paymentMethod, paymentStatus, totalPrice }, 201)
      }
    }
    return c.json({ error: "busy" }, 409)
  })
}

export function bare(app) {
  for (const path of ["/cart/add-dish", "/cart/checkout"]) app.post(path, async (c) => c.json(await c.req.json(), 201))
}
