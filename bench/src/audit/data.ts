/* Data for the keyspace beside it, without a single fault, as a stream of RESP: about
 * 17 keys for each user, however many users there are. */

const ISO = "2026-01-05T10:00:00.000Z"
const stamps = `"createdAt":"${ISO}","updatedAt":"${ISO}"`
const DAY = "86000000"

/** Keys for each user, and those that there is one of. */
export const usersFor = (keys: number): number => Math.ceil(keys / 17.3)

export function* commands(users: number): Generator<string> {
  const dishes = Math.max(10, users >> 2)
  let text = ""
  const add = (...args: string[]) => {
    text += resp(args)
  }
  for (let d = 1; d <= dishes; d++) {
    const category = String(d % 50)
    add(
      "SET",
      `dish:${d}`,
      `{"id":"${d}","name":"Dish number ${d}","price":${1000 + d},"categoryId":"${category}","stock":${d % 90},${stamps}}`,
    )
    add("SADD", "dish:list", String(d))
    add("SADD", `dish:index:category:${category}`, String(d))
    add("SADD", `category:${category}:dishes`, String(d))
    if (d % 500 === 0) {
      yield text
      text = ""
    }
  }
  for (let u = 1; u <= users; u++) {
    const hex = ((u * 2654435761) >>> 0).toString(16).padStart(8, "0")
    const token = `${hex}-${hex.slice(0, 4)}-4000-8000-${hex}${hex.slice(4)}`
    const service = `P:${u % 20}:S:${u % 3}:`
    add(
      "SET",
      `user:${u}`,
      `{"id":"${u}","name":"User ${u}","email":"u${u}@example.com","password":"$argon2id$${hex}${hex}",${stamps}}`,
    )
    add("SADD", "user:list", String(u))
    add("SET", `user:index:email:u${u}@example.com`, String(u))
    add("SET", `order:${u}`, `{"id":"${u}","userId":"${u}","totalPrice":${u * 10},"status":"PENDING",${stamps}}`)
    add("SADD", "order:list", String(u))
    add("SADD", `order:index:user:${u}`, String(u))
    add("SADD", `user:${u}:orders`, String(u))
    for (const line of [2 * u, 2 * u + 1]) {
      add(
        "SET",
        `orderDetail:${line}`,
        `{"id":"${line}","orderId":"${u}","dishId":"${1 + (line % dishes)}","quantity":2,"price":${line % 1000}}`,
      )
      add("SADD", "orderDetail:list", String(line))
      add("SADD", `orderDetail:index:order:${u}`, String(line))
      add("SADD", `order:${u}:details`, String(line))
    }
    add("HSET", "login:", token, String(u))
    add("ZADD", "recent:", String(1_750_000_000 + u), token)
    add("ZADD", `viewed:${token}`, "1750000001", `item:${u % 700}`, "1750000002", `item:${u % 900}`)
    add("HSET", `basket:${token}`, `item:${u % 700}`, "2", `item:${u % 900}`, "1")
    add("SET", `cache:${hex}`, `<html><body>${"page ".repeat(40)}</body></html>`, "PX", DAY)
    add("HSET", `${service}St:m${u}`, "behavioral_status", "online", "status_message", "back at five")
    add("PEXPIRE", `${service}St:m${u}`, DAY)
    add("SADD", `${service}OnSub`, `m${u}`)
    add("RPUSH", `${service}C:m${u}`, `m${u + 60}`, `m${u + 120}`)
    add("SET", `rails:users:${u}:queries:2026-01-05`, String(u % 77))
    add("SADD", `${u}_liked_posts`, String(u), String(u + 1), String(u + 2))
    add("ZADD", `${u}_clgs_preference`, "3", String(u % 40), "1", String(u % 41))
    if (u % 8 === 0) {
      const deadline = String(Date.now() + 80_000_000)
      const keys = [`${service}Ch:c${u}`, `${service}Ch:c${u}:Sub`, `${service}Ch:c${u}:Own`, `${service}Sub:m${u}:Ch`]
      add("HSET", keys[0]!, "name", `Channel ${u}`, "description", "what it is about")
      add("SADD", keys[1]!, `m${u}`)
      add("SADD", keys[2]!, `m${u}`)
      add("SADD", keys[3]!, `c${u}`)
      for (const key of keys) add("PEXPIREAT", key, deadline)
    }
    if (u % 100 === 0) {
      yield text
      text = ""
    }
  }
  add("SET", "dish:counter", String(dishes))
  add("SET", "user:counter", String(users))
  add("SET", "order:counter", String(users))
  add("SET", "orderDetail:counter", String(2 * users + 1))
  yield text
}

/** A command as a client sends it. */
export const resp = (args: readonly string[]): string =>
  `*${args.length}\r\n${args.map((arg) => `$${arg.length}\r\n${arg}\r\n`).join("")}`
