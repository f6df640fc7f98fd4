import * as z from "zod"
import { RouteReply } from "../../platform/http/answer.ts"
import type { Invites } from "../services/invites.ts"
import { Channel, Invite, User } from "./fields.ts"
import type { ForTokens } from "./token-auth.ts"

const Shown = z.object({
  id: z.string(),
  channel: z.string(),
  invitee: z.string(),
  by: z.string(),
  kind: z.enum(["join", "invite"]),
})
const Decision = z.enum(["approved", "rejected"])
const one = { id: Invite }

export const inviteRoutes = (invites: Invites, { few }: ForTokens) => [
  few("POST /v1/roc/invites", {
    summary: "Asks to join a channel, or invites somebody to one. A public channel is joined at once (200).",
    body: z.strictObject({ channel: Channel, invitee: User.optional() }),
    ignored: ["id", "by", "kind"],
    answer: z.union([z.object({ id: z.string() }), z.object({ subscribed: z.literal(true) })]),
    status: 201,
    orStatus: 200,
    errors: [404, 409],
    async handle({ caller, body: { channel, invitee } }) {
      const made =
        invitee === undefined ? await invites.ask(caller, channel) : await invites.invite(caller, channel, invitee)
      return "id" in made ? made : new RouteReply(200, made)
    },
  }),
  few("GET /v1/roc/invites", {
    summary: "Invitations to the caller, the caller's requests to join, and the caller's invitations.",
    answer: z.object({ invites: z.array(Shown) }),
    handle: async ({ caller }) => ({ invites: await invites.list(caller) }),
  }),
  few("GET /v1/roc/invites/{id}", {
    summary: "An invite that concerns the caller.",
    params: one,
    answer: Shown,
    errors: [404],
    handle: ({ caller, params }) => invites.get(caller, params.id),
  }),
  few("PUT /v1/roc/invites/{id}", {
    summary: "Answers an invite, once: managers answer requests to join, invitees answer invitations.",
    params: one,
    body: z.strictObject({ approve: Decision }),
    answer: z.object({ id: z.string(), approve: Decision }),
    errors: [404, 409],
    async handle({ caller, params, body }) {
      await invites.answer(caller, params.id, body.approve === "approved")
      return { id: params.id, approve: body.approve }
    },
  }),
  few("DELETE /v1/roc/invites/{id}", {
    summary: "Cancels an invite; for the user who made it.",
    params: one,
    errors: [404],
    handle: ({ caller, params }) => invites.cancel(caller, params.id),
  }),
]
