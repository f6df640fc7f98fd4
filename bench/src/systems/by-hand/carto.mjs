const VIEW = `
if redis.call("EXISTS", KEYS[1]) == 0 then return 0 end
redis.call("ZINCRBY", KEYS[2], 1, ARGV[1])
if KEYS[3] then
  redis.call("ZINCRBY", KEYS[3], 1, ARGV[1])
  redis.call("ZINCRBY", KEYS[3], 1, "total")
end
return 1`
const KINDS = ["select", "insert", "update", "delete"]
const QUOTED = /'[^']*'|"[^"]*"/g

export async function routes(app, client) {
  const sha = await client.scriptLoad(VIEW)
  const isAdmin = (c) => c.req.header("authorization") === "Bearer admin-token-of-the-bench"

  app.post("/users", async (c) => {
    if (!isAdmin(c)) return c.json({ error: "unauthorized" }, 401)
    const { id, username, database_name } = await c.req.json()
    await client.hSet(`rails:users:${username}`, { id, database_name })
    return c.json({ id }, 201)
  })

  app.post("/queries", async (c) => {
    if (!isAdmin(c)) return c.json({ error: "unauthorized" }, 401)
    const { user_id, sql, time } = await c.req.json()
    if (!Number.isInteger(user_id) || typeof sql !== "string" || !(time >= 0))
      return c.json({ error: "invalid_input" }, 400)
    const statements = sql
      .replace(QUOTED, "''")
      .split(";")
      .map((one) => one.trim())
      .filter((one) => one !== "")
    const day = new Date().toISOString().slice(0, 10)
    const [prefix, month] = [`rails:users:${user_id}:queries`, day.slice(0, 7)]
    const multi = client.multi()
    for (const statement of statements) {
      const word = /^\w+/.exec(statement)?.[0].toLowerCase()
      multi.incr(`${prefix}:total`).incr(`${prefix}:${day}`).incr(`${prefix}:${month}`)
      multi.incr(`${prefix}:${month}:${KINDS.includes(word) ? word : "other"}`)
    }
    multi.incrByFloat(`${prefix}:${day}:time`, time).incrByFloat(`${prefix}:${month}:time`, time)
    await multi.exec()
    return c.body(null, 204)
  })

  app.post("/users/:username/mapviews", async (c) => {
    const username = c.req.param("username")
    const { visualization_id } = await c.req.json()
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(username) || !/^[\w-]{1,128}$/.test(visualization_id))
      return c.json({ error: "invalid_input" }, 400)
    const views = `user:${username}:mapviews`
    const keys = [`rails:users:${username}`, `${views}:global`, `${views}:stat_tag:${visualization_id}`]
    const day = new Date().toISOString().slice(0, 10).replaceAll("-", "")
    const isThere = await client.evalSha(sha, { keys, arguments: [day] })
    return isThere ? c.body(null, 204) : c.json({ error: "no_such_user" }, 404)
  })
}

export function bare(app) {
  for (const path of ["/queries", "/users/:username/mapviews"])
    app.post(path, async (c) => {
      await c.req.json()
      return c.body(null, 204)
    })
}
