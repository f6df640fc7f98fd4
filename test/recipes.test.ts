/* The recipes of the documentation: short programs that compile, and print what they say. */

import { readdirSync, readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { checkExamples } from "./examples-check.ts"

const folder = new URL("../examples/", import.meta.url).pathname
const recipes = readdirSync(folder).filter((file) => file.endsWith(".ts"))
const read = (file: string) => readFileSync(join(folder, file), "utf8")

checkExamples(
  recipes.map((file) => ({ page: `examples/${file}`, markdown: `\`\`\`ts\n// ${file}\n${read(file)}\n\`\`\`\n` })),
)

describe("the recipes", () => {
  it.each(recipes)("%s is on the page", (file) => {
    expect(readFileSync(join(folder, "../docs/recipes/index.md"), "utf8")).toContain(`<<< ../../examples/${file}\n`)
  })
})

const cookieOf = (answer: Response) => answer.headers.get("set-cookie")!.split(";")[0]!

describe("sessions", () => {
  it("with Express: log in, be known, log out everywhere", async () => {
    const { sessionApp } = await import("../examples/sessions-express.ts")
    const { app, db } = await sessionApp()
    const server = app.listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      expect((await fetch(`${at}/me`)).status).toBe(401)
      const cookie = cookieOf(await fetch(`${at}/login?user=ann`, { method: "POST" }))
      await fetch(`${at}/login?user=ann`, { method: "POST" })
      const headers = { cookie }
      expect(await (await fetch(`${at}/me`, { headers })).json()).toMatchObject({ user: "ann" })
      const ended = await fetch(`${at}/logout-everywhere`, { method: "POST", headers })
      expect(await ended.json()).toEqual({ ended: 2 })
      expect((await fetch(`${at}/me`, { headers })).status).toBe(401)
    } finally {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await db.$close()
    }
  })

  it("with Hono: log in, be known, log out", async () => {
    const { sessionApp } = await import("../examples/sessions-hono.ts")
    const { app, db } = await sessionApp()
    expect((await app.request("/me")).status).toBe(401)
    const cookie = cookieOf(await app.request("/login?user=ann", { method: "POST" }))
    expect(await (await app.request("/me", { headers: { cookie } })).json()).toMatchObject({ user: "ann" })
    expect(await (await app.request("/logout", { method: "POST", headers: { cookie } })).json()).toEqual({
      ended: true,
    })
    expect((await app.request("/me", { headers: { cookie } })).status).toBe(401)
    await db.$close()
  })
})
