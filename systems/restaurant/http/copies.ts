import type { IncomingMessage } from "node:http"
import * as z from "zod"
import { flag } from "./fields.ts"
import { Problem } from "../../platform/http/problem.ts"
import type { RouteFor } from "../../platform/http/route.ts"
import { ENTITIES } from "../schema.ts"
import type { Copies } from "../services/copies.ts"

const NDJSON = "application/x-ndjson"
const LIMIT = 1024 ** 3
const Entity = z.enum(ENTITIES)
const Imported = z.looseObject({ keys: z.int(), written: z.int(), skipped: z.int(), same: z.int() })

export const copyRoutes = (copies: Copies, forAdmin: RouteFor<void>) => [
  forAdmin("GET /admin/export", {
    summary: "All keys with their types, values and deadlines, one per line; or those of one entity.",
    query: { entity: Entity.optional() },
    answer: "ndjson",
    handle: async ({ query, http }) => http.body(await copies.export(query.entity), 200, { "Content-Type": NDJSON }),
  }),
  forAdmin("POST /admin/import", {
    summary:
      "Writes an export; nothing is written unless all of it can be. Values as Spring's serializer wrote them lose its class names and quotes, unless `jackson` is false.",
    query: { mode: z.enum(["skip", "overwrite", "fail"]).default("fail"), jackson: flag.default(true) },
    readsBody: true,
    answer: Imported,
    errors: [409, 413, 415],
    async handle({ query, http }) {
      const { incoming } = http.env
      if ((incoming.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase() !== NDJSON)
        throw new Problem(415, "unsupported_media_type", `the body has to be ${NDJSON}`)
      return { ...(await copies.import(limited(incoming), query.mode, query.jackson)) }
    },
  }),
]

async function* limited(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LIMIT)
      throw new Problem(413, "body_too_large", `the body has more than ${LIMIT} bytes`, {
        headers: { Connection: "close" },
      })
    yield chunk
  }
}
