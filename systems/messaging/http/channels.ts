import * as z from "zod"
import { defined } from "../../platform/defined.ts"
import type { Channels } from "../services/channels.ts"
import { Channel, ChannelType, Description, Ids, Name, User } from "./fields.ts"
import type { ForTokens } from "./token-auth.ts"

const View = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: ChannelType,
  lastMessage: z.string().optional(),
  subscribers: Ids.optional(),
  owners: Ids.optional(),
  managers: Ids.optional(),
  banned: Ids.optional(),
  joinRequests: Ids.optional(),
  invites: Ids.optional(),
})
const Changes = z
  .strictObject({ name: Name.optional(), description: Description.optional(), type: ChannelType.optional() })
  .refine((given) => Object.values(given).some((value) => value !== undefined), { error: "nothing to change" })
const one = { id: Channel }
const member = { id: Channel, sid: User }

export const channelRoutes = (channels: Channels, { few }: ForTokens) => [
  few("POST /v1/roc/channels", {
    summary: "Creates a channel; the caller is its subscriber, owner and manager.",
    body: z.strictObject({
      id: Channel.optional(),
      name: Name,
      description: Description.default(""),
      type: ChannelType.default("public"),
    }),
    ignored: ["lastMessage"],
    answer: z.object({ id: z.string() }),
    status: 201,
    errors: [409],
    handle: async ({ caller, body }) => ({ id: await channels.create(caller, body) }),
  }),
  few("GET /v1/roc/channels", {
    summary: "The caller's channels.",
    answer: z.object({ channels: z.array(z.object({ id: z.string(), name: z.string(), type: ChannelType })) }),
    handle: async ({ caller }) => ({ channels: await channels.own(caller) }),
  }),
  few("GET /v1/roc/channels/{id}", {
    summary: "A channel, as the caller may see it.",
    params: one,
    answer: View,
    errors: [404],
    handle: ({ caller, params }) => channels.get(caller, params.id),
  }),
  few("PUT /v1/roc/channels/{id}", {
    summary: "Changes name, description or type; for managers.",
    params: one,
    body: Changes,
    ignored: ["id", "lastMessage"],
    answer: View,
    errors: [404],
    handle: ({ caller, params, body }) => channels.update(caller, params.id, defined(body)),
  }),
  few("DELETE /v1/roc/channels/{id}", {
    summary: "Removes a channel and all that belongs to it; for owners.",
    params: one,
    errors: [404, 409],
    handle: ({ caller, params }) => channels.remove(caller, params.id),
  }),
  few("GET /v1/roc/channels/{id}/subscribers", {
    summary: "The subscribers.",
    params: one,
    answer: z.object({ subscribers: Ids }),
    errors: [404],
    handle: async ({ caller, params }) => ({ subscribers: await channels.subscribers(caller, params.id) }),
  }),
  few("DELETE /v1/roc/channels/{id}/subscribers/{sid}", {
    summary: "Leaves the channel, or, for managers, removes somebody.",
    params: member,
    errors: [404, 409],
    handle: ({ caller, params }) => channels.removeSubscriber(caller, params.id, params.sid),
  }),
  few("PUT /v1/roc/channels/{id}/managers/{sid}", {
    summary: "Makes a subscriber a manager; for owners.",
    params: member,
    errors: [404],
    handle: ({ caller, params }) => channels.setManager(caller, params.id, params.sid, true),
  }),
  few("DELETE /v1/roc/channels/{id}/managers/{sid}", {
    summary: "Removes somebody from the managers; for owners.",
    params: member,
    errors: [404],
    handle: ({ caller, params }) => channels.setManager(caller, params.id, params.sid, false),
  }),
  few("POST /v1/roc/channels/{id}/bans", {
    summary: "Bans somebody from the channel; for managers.",
    params: one,
    body: z.strictObject({ subscriber: User }),
    errors: [404, 409],
    handle: ({ caller, params, body }) => channels.ban(caller, params.id, body.subscriber),
  }),
  few("GET /v1/roc/channels/{id}/bans", {
    summary: "The banned users; for managers.",
    params: one,
    answer: z.object({ banned: Ids }),
    errors: [404],
    handle: async ({ caller, params }) => ({ banned: await channels.banned(caller, params.id) }),
  }),
  few("DELETE /v1/roc/channels/{id}/bans/{sid}", {
    summary: "Lifts the ban of somebody; for managers.",
    params: member,
    errors: [404],
    handle: ({ caller, params }) => channels.unban(caller, params.id, params.sid),
  }),
]
