import * as z from "zod"
import { badRequest } from "../../platform/http/problem.ts"
import { isEventId } from "../services/live/event-id.ts"
import type { LiveStreams } from "../services/live/live.ts"
import type { ForTokens } from "./token-auth.ts"

const invalid = (where: string) => badRequest("invalid_input", `${where}: is not the id of an event`)

export const eventRoutes = (live: LiveStreams, { roc }: ForTokens) => [
  roc("GET /v1/roc/events", {
    summary: "Live events: messages, presence, invites, bans and contacts. `Last-Event-ID` resumes a stream.",
    query: { after: z.string().optional() },
    answer: "events",
    errors: [429],
    handle({ caller, query, http }) {
      const header = http.req.header("last-event-id")
      const after = header === undefined || header === "" ? query.after : header
      if (after !== undefined && !isEventId(after)) throw invalid(after === header ? "Last-Event-ID" : "query.after")
      if (http.req.method === "HEAD") return http.body(null, 200, { "Content-Type": "text/event-stream" })
      return live.open(caller, http, after)
    },
  }),
]
