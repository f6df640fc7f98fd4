import { randomBytes, randomUUID } from "node:crypto"
import Database from "libsql"

const newToken = () => randomBytes(32).toString("base64url")
const json = (c) => c.req.json()

export async function routes(app, client) {
  const sql = new Database(":memory:")
  sql.exec(`
    create table contacts (prefix text, user text, contact text, primary key (prefix, user, contact));
    create table bans (prefix text, user text, target text, primary key (prefix, user, target));
    create table messages (prefix text, id text, thread text, sender text, body text, at text, primary key (prefix, id));
    create index threads on messages (prefix, thread, id);`)
  const addContact = sql.prepare("insert or ignore into contacts values (?, ?, ?)")
  const contactsOf = sql.prepare("select contact from contacts where prefix = ? and user = ?")
  const banBetween = sql.prepare(
    "select 1 from bans where prefix = ? and ((user = ? and target = ?) or (user = ? and target = ?))",
  )
  const addMessage = sql.prepare("insert into messages values (?, ?, ?, ?, ?, ?)")

  const issue = async (key, token, fields, seconds) => {
    const multi = client.multi().hSet(key, fields).hSet("TokensKeys", token, key)
    await (seconds === undefined ? multi : multi.expire(key, seconds)).exec()
  }

  const present = (prefix, user) =>
    client
      .multi()
      .hSetNX(`${prefix}:St:${user}`, "behavioral_status", "online")
      .hSet(`${prefix}:St:${user}`, "last_activity_time", new Date().toISOString())
      .expire(`${prefix}:St:${user}`, 600)
      .sAdd(`${prefix}:OnSub`, user)
      .exec()

  app.post("/v1/saas/tokens", async (c) => {
    const { serviceId, ...grant } = await json(c)
    const token = newToken()
    const prefix = `P:${grant.project}:S:${serviceId ?? grant.service}`
    await issue(`${prefix}:RefTok:${token}`, token, grant, 30)
    return c.json({ refreshToken: token }, 201)
  })

  app.post("/v1/auth/token", async (c) => {
    const { refreshToken } = await json(c)
    const key = await client.hGet("TokensKeys", refreshToken)
    const grant = { ...(await client.hGetAll(key)) }
    const token = newToken()
    await issue(key.replace(/RefTok:.*/, `AccTok:${token}`), token, grant, 10_800)
    await present(key.slice(0, key.indexOf(":RefTok:")), grant.user)
    return c.json({ accessToken: token })
  })

  app.put("/source/:project/:service/users/:id", async (c) => {
    const { project, service, id } = c.req.param()
    const prefix = `P:${project}:S:${service}`
    const { contacts } = await json(c)
    for (const contact of contacts) addContact.run(prefix, id, contact)
    await client.del(`${prefix}:C:${id}`)
    await contactList({ user: id, prefix })
    return c.body(null, 204)
  })

  const authenticate = async (c) => {
    const token = c.req.header("authorization")?.slice("Bearer ".length)
    const key = token && (await client.hGet("TokensKeys", token))
    if (!key?.includes(":AccTok:")) return undefined
    const grant = await client.hGetAll(key)
    if (grant.service !== "roc") return undefined
    return { user: grant.user, prefix: key.slice(0, key.indexOf(":AccTok:")) }
  }

  const contactList = async ({ user, prefix }) => {
    const key = `${prefix}:C:${user}`
    const found = await client.lRange(key, 0, -1)
    if (found.length > 0) return found
    const loaded = contactsOf.all(prefix, user).map(({ contact }) => `u_${contact}`)
    if (loaded.length > 0) await client.rPush(key, loaded)
    return loaded
  }

  app.get("/v1/roc/status", async (c) => {
    const me = await authenticate(c)
    if (!me) return c.json({ error: "unauthorized" }, 401)
    const contacts = await contactList(me)
    const users = [me.user, ...contacts.filter((one) => one.startsWith("u_")).map((one) => one.slice(2))]
    const found = await Promise.all(users.map((user) => client.hGetAll(`${me.prefix}:St:${user}`)))
    const statuses = found.map((status, i) => ({ user: users[i], behavioral_status: "offline", ...status }))
    return c.json({ statuses })
  })

  app.post("/v1/roc/messages", async (c) => {
    const me = await authenticate(c)
    if (!me) return c.json({ error: "unauthorized" }, 401)
    const { receiver, body } = await json(c)
    if (typeof receiver !== "string" || typeof body !== "string" || body === "" || body.length > 1024)
      return c.json({ error: "invalid_input" }, 400)
    const { user, prefix } = me
    const [known, mine, theirs] = await Promise.all([
      client.lPos(`${prefix}:C:${user}`, `u_${receiver}`),
      client.sIsMember(`${prefix}:Sub:${user}:BanSub`, receiver),
      client.sIsMember(`${prefix}:Sub:${receiver}:BanSub`, user),
    ])
    const isContact = known !== null || (await contactList(me)).includes(`u_${receiver}`)
    if (!isContact || mine || theirs || banBetween.get(prefix, user, receiver, receiver, user))
      return c.json({ error: "forbidden" }, 403)
    const [id, at] = [randomUUID(), new Date().toISOString()]
    addMessage.run(prefix, id, [user, receiver].sort().join("/"), user, body, at)
    await present(prefix, user)
    return c.json({ id }, 202)
  })
}

export function bare(app) {
  const status = { user: "u1", behavioral_status: "online", last_activity_time: new Date().toISOString() }
  const statuses = Array.from({ length: 11 }, () => status)
  app.get("/v1/roc/status", (c) => c.json({ statuses }))
  app.post("/v1/roc/messages", async (c) => {
    await c.req.json()
    return c.json({ id: randomUUID() }, 202)
  })
}
