import * as z from "zod"
import type { Presence } from "../services/presence.ts"
import { Ids, StatusIntentional, StatusMessage } from "./fields.ts"
import type { ForTokens } from "./token-auth.ts"

const Behaviour = z.enum(["online", "idle", "offline"])
const Status = z.object({
  user: z.string(),
  behavioral_status: Behaviour,
  status_intentional: z.string().optional(),
  status_message: z.string().optional(),
  last_activity_time: z.string().optional(),
})

export const presenceRoutes = (presence: Presence, { roc, few }: ForTokens) => [
  roc("GET /v1/roc/status", {
    summary: "The caller's status, then those of the caller's contacts.",
    answer: z.object({ statuses: z.array(Status) }),
    errors: [429],
    handle: async ({ caller }) => ({ statuses: await presence.statuses(caller, caller.user) }),
  }),
  roc("POST /v1/roc/status", {
    summary: "Sets the caller's status; offline ends it.",
    body: z.strictObject({
      behavioral_status: Behaviour,
      status_intentional: StatusIntentional.optional(),
      status_message: StatusMessage.optional(),
    }),
    ignored: ["user", "last_activity_time"],
    answer: Status,
    handle: ({ caller, body }) => presence.write(caller, caller.user, body),
  }),
  few("GET /v1/roc/online", {
    summary: "Who is online in the service.",
    answer: z.object({ subscribers: Ids }),
    handle: async ({ caller }) => ({ subscribers: await presence.online(caller) }),
  }),
]
