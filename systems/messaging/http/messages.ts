import * as z from "zod"
import { wholeInQuery } from "../../platform/http/fields.ts"
import { badRequest } from "../../platform/http/problem.ts"
import type { Messages } from "../services/messages.ts"
import { Body, Channel, User } from "./fields.ts"
import type { ForTokens } from "./token-auth.ts"

const oneTarget = () => badRequest("one_target", "exactly one target is needed")

export const messageRoutes = (messages: Messages, { roc, few, inTurn }: ForTokens) => [
  roc("POST /v1/roc/messages", {
    summary: "Sends a message to a contact or to a channel.",
    body: z.strictObject({ receiver: User.optional(), channel: Channel.optional(), body: Body }),
    ignored: ["id", "from", "at"],
    answer: z.object({ id: z.string() }),
    status: 202,
    errors: [404, 429],
    async handle({ caller, body: { receiver, channel, body } }) {
      if ((receiver === undefined) === (channel === undefined)) throw oneTarget()
      // Each message to a channel loads all that is cached of it again.
      const id = await (receiver === undefined
        ? inTurn(caller, () => messages.sendToChannel(caller, channel!, body))
        : messages.sendToPerson(caller, receiver, body))
      return { id }
    },
  }),
  few("GET /v1/roc/messages", {
    summary: "Messages of a channel, or between the caller and a contact, the newest first.",
    query: {
      channel: Channel.optional(),
      subscriber: User.optional(),
      cursor: z
        .string()
        .regex(/^[0-9a-f]{26,27}$/, { error: "is not a cursor" })
        .optional(),
      limit: wholeInQuery(50, 1, 200),
    },
    answer: z.object({
      messages: z.array(z.object({ id: z.string(), from: z.string(), body: z.string(), at: z.string() })),
      next: z.string().optional(),
    }),
    errors: [404],
    handle({ caller, query: { channel, subscriber, cursor, limit } }) {
      if (channel !== undefined && subscriber === undefined) return messages.list(caller, { channel }, cursor, limit)
      if (subscriber !== undefined && channel === undefined) return messages.list(caller, { subscriber }, cursor, limit)
      throw oneTarget()
    },
  }),
]
