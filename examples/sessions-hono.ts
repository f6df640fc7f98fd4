/* The same sessions in Hono, with types all the way to the handler. */

import { randomUUID } from "node:crypto"
import { Hono } from "hono"
import { getCookie, setCookie } from "hono/cookie"
import { createMiddleware } from "hono/factory"
import { connect, id, json, keyspace, secret, sliding, string } from "keywright"
import * as z from "zod"

const Session = z.object({ user: z.string(), since: z.string() })
const token = secret(id("token"))

export const web = keyspace(
  { session: string("session:{token}", json(Session), { ttl: sliding("30m"), doc: "Who is logged in." }) },
  { name: "web", params: { token } },
)

export async function sessionApp() {
  const db = await connect(web)
  const app = new Hono()

  const loggedIn = createMiddleware<{ Variables: { session: z.infer<typeof Session>; token: string } }>(
    async (c, next) => {
      const given = getCookie(c, "session")
      const session = given && /^[\w-]+$/.test(given) ? await db.session({ token: given }).get() : undefined
      if (given === undefined || session === undefined) return c.json({ error: "log in first" }, 401)
      c.set("session", session)
      c.set("token", given)
      return next()
    },
  )

  app.post("/login", async (c) => {
    const session = randomUUID()
    const user = c.req.query("user") ?? ""
    await db.session({ token: session }).set({ user, since: new Date().toISOString() })
    setCookie(c, "session", session, { httpOnly: true, sameSite: "Lax" })
    return c.json({ user })
  })

  app.get("/me", loggedIn, (c) => c.json(c.var.session))

  app.post("/logout", loggedIn, async (c) => c.json({ ended: await db.session({ token: c.var.token }).delete() }))
  return { app, db }
}
