import * as z from "zod"
import { route } from "../../platform/http/route.ts"
import type { Channels } from "../services/channels.ts"
import { Channel, ChannelType, Description, Ids, Name, User } from "./fields.ts"
import type { TokenAuths } from "./token-auth.ts"

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

export const channelRoutes = (channels: Channels, { few }: TokenAuths) => [
  route({
    method: "POST",
    path: "/v1/roc/channels",
    summary: "Creates a channel; the caller is its subscriber, owner and manager.",
    auth: few,
    body: z.strictObject({
      id: Channel.optional(),
      name: Name,
      description: Description.default(""),
      type: ChannelType.default("public"),
    }),
    ignored: ["lastMessage"],
    answer: z.object({ id: z.string() }),
    status: 201,
    errors: [403, 409],
    handle: async ({ caller, body }) => ({ id: await channels.create(caller, body) }),
  }),
  route({
    method: "GET",
    path: "/v1/roc/channels",
    summary: "The caller's channels.",
    auth: few,
    answer: z.object({ channels: z.array(z.object({ id: z.string(), name: z.string(), type: ChannelType })) }),
    errors: [403],
    handle: async ({ caller }) => ({ channels: await channels.own(caller) }),
  }),
  route({
    method: "GET",
    path: "/v1/roc/channels/{id}",
    summary: "A channel, as the caller may see it.",
    auth: few,
    params: one,
    answer: View,
    errors: [403, 404],
    handle: ({ caller, params }) => channels.get(caller, params.id),
  }),
  route({
    method: "PUT",
    path: "/v1/roc/channels/{id}",
    summary: "Changes name, description or type; for managers.",
    auth: few,
    params: one,
    body: Changes,
    ignored: ["id", "lastMessage"],
    answer: View,
    errors: [403, 404],
    handle: ({ caller, params, body: { name, description, type } }) =>
      channels.update(caller, params.id, {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(type !== undefined && { type }),
      }),
  }),
  route({
    method: "DELETE",
    path: "/v1/roc/channels/{id}",
    summary: "Removes a channel and all that belongs to it; for owners.",
    auth: few,
    params: one,
    errors: [403, 404, 409],
    handle: ({ caller, params }) => channels.remove(caller, params.id),
  }),
  route({
    method: "GET",
    path: "/v1/roc/channels/{id}/subscribers",
    summary: "The subscribers.",
    auth: few,
    params: one,
    answer: z.object({ subscribers: Ids }),
    errors: [403, 404],
    handle: async ({ caller, params }) => ({ subscribers: await channels.subscribers(caller, params.id) }),
  }),
  route({
    method: "DELETE",
    path: "/v1/roc/channels/{id}/subscribers/{sid}",
    summary: "Leaves the channel, or, for managers, removes somebody.",
    auth: few,
    params: member,
    errors: [403, 404, 409],
    handle: ({ caller, params }) => channels.removeSubscriber(caller, params.id, params.sid),
  }),
  route({
    method: "PUT",
    path: "/v1/roc/channels/{id}/managers/{sid}",
    summary: "Makes a subscriber a manager; for owners.",
    auth: few,
    params: member,
    errors: [403, 404],
    handle: ({ caller, params }) => channels.setManager(caller, params.id, params.sid, true),
  }),
  route({
    method: "DELETE",
    path: "/v1/roc/channels/{id}/managers/{sid}",
    summary: "Removes somebody from the managers; for owners.",
    auth: few,
    params: member,
    errors: [403, 404],
    handle: ({ caller, params }) => channels.setManager(caller, params.id, params.sid, false),
  }),
  route({
    method: "POST",
    path: "/v1/roc/channels/{id}/bans",
    summary: "Bans somebody from the channel; for managers.",
    auth: few,
    params: one,
    body: z.strictObject({ subscriber: User }),
    errors: [403, 404, 409],
    handle: ({ caller, params, body }) => channels.ban(caller, params.id, body.subscriber),
  }),
  route({
    method: "GET",
    path: "/v1/roc/channels/{id}/bans",
    summary: "The banned users; for managers.",
    auth: few,
    params: one,
    answer: z.object({ banned: Ids }),
    errors: [403, 404],
    handle: async ({ caller, params }) => ({ banned: await channels.banned(caller, params.id) }),
  }),
  route({
    method: "DELETE",
    path: "/v1/roc/channels/{id}/bans/{sid}",
    summary: "Lifts the ban of somebody; for managers.",
    auth: few,
    params: member,
    errors: [403, 404],
    handle: ({ caller, params }) => channels.unban(caller, params.id, params.sid),
  }),
]
