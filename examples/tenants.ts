/* A multi-tenant service: all keys of a tenant share a prefix that is bound once, so no handler can reach
 * another tenant's keys, and a tenant can be counted and removed as a whole. */

import { connect, counter, id, json, keyspace, map, scope, text, entity } from "keywright"
import * as z from "zod"

const tenant = id("tenant", { matching: /[a-z][a-z0-9-]{1,30}/ })
const User = z.object({ id: z.string(), email: z.string(), role: z.enum(["admin", "member"]) })

export const saas = keyspace(
  {
    tenant: scope("t:{tenant}:", {
      user: entity("user:{id}", json(User), {
        counter: "user:next",
        all: "users",
        unique: { email: "email:{email}" }, // unique within the tenant
        index: { role: "role:{role}" },
        doc: "A user of a tenant.",
      }),
      settings: map("settings", text, text, { doc: "What a tenant has chosen." }),
      calls: counter("calls:{month}", { doc: "API calls, for the invoice." }),
    }),
  },
  { name: "saas", ttl: "never", params: { tenant } },
)

const db = await connect(saas)

/** What the handlers of a request get: nothing else is within their reach. */
export const forTenant = (name: string) => db.tenant({ tenant: name })

const acme = forTenant("acme")
const globex = forTenant("globex")
await acme.user.create({ email: "ann@example.com", role: "admin" })
await globex.user.create({ email: "ann@example.com", role: "member" }) // another tenant: no conflict
await acme.user.create({ email: "ann@example.com", role: "member" }).catch((error) => console.log(error.code))
// → INDEX.UNIQUE_TAKEN

await acme.settings().set("theme", "dark")
await acme.calls({ month: "2026-01" }).increment()
console.log(await acme.user.count(), await globex.user.count()) // → 1 1
console.log((await acme.user.list("role", { role: "admin" })).map(({ email }) => email)) // → [ 'ann@example.com' ]
console.log(acme.settings().key) // → t:acme:settings

try {
  forTenant("acme:user").settings()
} catch (error) {
  console.log((error as Error).message) // → … tenant …
}
await db.$close()
