import * as z from "zod"
import { badRequest } from "../../platform/http/problem.ts"
import { route } from "../../platform/http/route.ts"
import type { Services } from "../services.ts"
import { Username } from "./fields.ts"

/** A name, the rest of the domain, and a port. */
const HOST = /^([^.:]+)(?:\.[^:\s]*)?(?::\d*)?$/

/** `dev.cartodb.com:8080` → `dev` */
function subdomainOf(host: string): string {
  const name = HOST.exec(host.trim().toLowerCase())?.[1]
  if (!Username.safeParse(name).success) throw badRequest("invalid_input", "host: it does not begin with a username")
  return name!
}

export const lookupRoutes = ({ profiles }: Services) => [
  route("GET /lookup", {
    summary: "From a host name, `?host=` or the Host header, to the user's id and database.",
    query: { host: z.string().min(1).max(255).optional() },
    answer: z.object({ id: z.int(), username: z.string(), database_name: z.string() }),
    errors: [404],
    handle: ({ query, http }) => profiles.lookUp(subdomainOf(query.host ?? http.env.incoming.headers.host ?? "")),
  }),
]
