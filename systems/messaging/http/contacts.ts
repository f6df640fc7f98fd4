import * as z from "zod"
import type { Contacts } from "../services/contacts.ts"
import { Channel, Ids, User } from "./fields.ts"
import type { ForTokens } from "./token-auth.ts"

export const contactRoutes = (contacts: Contacts, { few }: ForTokens) => [
  few("GET /v1/roc/me", {
    summary: "The caller's contacts, channels, bans and invites, by id.",
    answer: z.object({
      contacts: Ids,
      channels: Ids,
      bannedChannels: Ids,
      bannedSubscribers: Ids,
      invites: Ids,
      joinRequests: Ids,
    }),
    handle: ({ caller }) => contacts.me(caller),
  }),
  few("GET /v1/roc/contacts", {
    summary: "People and channels that the caller may write to.",
    answer: z.object({ contacts: Ids, channels: Ids }),
    handle: ({ caller }) => contacts.list(caller),
  }),
  few("POST /v1/roc/contacts", {
    summary: "Adds a person; the two become contacts of each other.",
    body: z.strictObject({ user: User }),
    status: 201,
    errors: [409],
    handle: ({ caller, body }) => contacts.add(caller, body.user),
  }),
  few("DELETE /v1/roc/contacts/{id}", {
    summary: "Removes a person, on both sides.",
    params: { id: User },
    errors: [404],
    handle: ({ caller, params }) => contacts.remove(caller, params.id),
  }),
  few("GET /v1/roc/banned-channels", {
    summary: "Channels that the caller banned.",
    answer: z.object({ channels: Ids }),
    handle: async ({ caller }) => ({ channels: (await contacts.me(caller)).bannedChannels }),
  }),
  few("POST /v1/roc/banned-channels", {
    summary: "Bans a channel, and leaves it.",
    body: z.strictObject({ channel: Channel }),
    status: 201,
    errors: [404, 409],
    handle: ({ caller, body }) => contacts.banChannel(caller, body.channel),
  }),
  few("DELETE /v1/roc/banned-channels/{id}", {
    summary: "Lifts the ban of a channel.",
    params: { id: Channel },
    errors: [404],
    handle: ({ caller, params }) => contacts.unban(caller, "channel", params.id),
  }),
  few("GET /v1/roc/banned-contacts", {
    summary: "People whom the caller banned.",
    answer: z.object({ subscribers: Ids }),
    handle: async ({ caller }) => ({ subscribers: (await contacts.me(caller)).bannedSubscribers }),
  }),
  few("POST /v1/roc/banned-contacts", {
    summary: "Bans a person, who is then no longer a contact.",
    body: z.strictObject({ subscriber: User }),
    status: 201,
    errors: [409],
    handle: ({ caller, body }) => contacts.banPerson(caller, body.subscriber),
  }),
  few("DELETE /v1/roc/banned-contacts/{id}", {
    summary: "Lifts the ban of a person.",
    params: { id: User },
    errors: [404],
    handle: ({ caller, params }) => contacts.unban(caller, "user", params.id),
  }),
]
