/* Sessions in Express: a cookie, a record that reads keep alive, and "log out everywhere".
 *
 * POST /login?user=ann   GET /me   POST /logout-everywhere */

import { randomUUID } from "node:crypto"
import express from "express"
import { connect, id, json, keyspace, secret, set, sliding, string } from "keywright"
import * as z from "zod"

const token = secret(id("token"))
const user = id("user")

export const web = keyspace(
  {
    session: string("session:{token}", json(z.object({ user: z.string(), since: z.string() })), {
      ttl: sliding("30m"),
      doc: "Who is logged in; every read starts the half hour again.",
    }),
    sessions: set("user:{user}:sessions", token, { ttl: "30d", doc: "The sessions of a user." }),
  },
  { name: "web", params: { token, user } },
)

export async function sessionApp() {
  const db = await connect(web)
  const app = express()
  const tokenOf = (cookie = "") => /(?:^|; )session=([\w-]+)/.exec(cookie)?.[1]

  app.post("/login", async (request, response) => {
    const session = randomUUID()
    const name = String(request.query["user"])
    await db.$multi((db) => [
      db.session({ token: session }).set({ user: name, since: new Date().toISOString() }),
      db.sessions({ user: name }).add(session),
    ])
    response.cookie("session", session, { httpOnly: true, sameSite: "lax" }).json({ user: name })
  })

  app.use(async (request, response, next) => {
    const session = tokenOf(request.headers.cookie)
    response.locals["session"] = session && (await db.session({ token: session }).get())
    if (response.locals["session"]) next()
    else response.status(401).json({ error: "log in first" })
  })

  app.get("/me", (_, response) => void response.json(response.locals["session"]))

  app.post("/logout-everywhere", async (_, response) => {
    const { user: name } = response.locals["session"] as { user: string }
    const tokens = await db.sessions({ user: name }).members()
    await db.$multi((db) => [
      ...tokens.map((one) => db.session({ token: one }).delete()),
      db.sessions({ user: name }).delete(),
    ])
    response.json({ ended: tokens.length })
  })
  return { app, db }
}
