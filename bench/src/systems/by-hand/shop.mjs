import { randomUUID } from "node:crypto"

const VIEW = `
local user = redis.call("HGET", KEYS[1], ARGV[1])
if not user then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], user)
redis.call("ZADD", KEYS[2], ARGV[3], ARGV[1])
redis.call("ZADD", KEYS[3], ARGV[3], ARGV[2])
redis.call("ZREMRANGEBYRANK", KEYS[3], 0, -26)
redis.call("ZINCRBY", KEYS[4], -1, ARGV[2])
return 1`

export async function routes(app, client) {
  const sha = await client.scriptLoad(VIEW)

  app.post("/login", async (c) => {
    const { user } = await c.req.json()
    const token = randomUUID()
    await client
      .multi()
      .hSet("login:", token, user)
      .zAdd("recent:", { score: Date.now() / 1000, value: token })
      .exec()
    return c.json({ token }, 201)
  })

  app.post("/views", async (c) => {
    const token = c.req.header("authorization")?.slice("Bearer ".length)
    if (!token) return c.json({ error: "unauthorized" }, 401)
    const { item } = await c.req.json()
    if (typeof item !== "string" || item === "") return c.json({ error: "invalid_input" }, 400)
    const keys = ["login:", "recent:", `viewed:${token}`, "viewed:"]
    const live = await client.evalSha(sha, { keys, arguments: [token, item, String(Date.now() / 1000)] })
    return live ? c.body(null, 204) : c.json({ error: "unauthorized" }, 401)
  })
}

export function bare(app) {
  app.post("/views", async (c) => {
    await c.req.json()
    return c.body(null, 204)
  })
}
