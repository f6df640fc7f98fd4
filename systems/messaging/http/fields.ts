import * as z from "zod"
import { fieldOf } from "../../platform/http/fields.ts"
import * as ids from "../ids.ts"

export const Tenant = fieldOf(ids.tenant)
export const Account = fieldOf(ids.account)
export const Project = fieldOf(ids.project)
export const Service = fieldOf(ids.service)
export const User = fieldOf(ids.user)
export const Channel = fieldOf(ids.channel)
export const Invite = fieldOf(ids.invite)
export const ServiceCode = z.enum(["push", "roc", "sms"])
export const ChannelType = z.enum(ids.CHANNEL_TYPES)

/** A text with a limited number of characters, as people count them: of one unit or two. PostgreSQL cannot store NUL. */
const chars = (min: number, max: number) =>
  z
    .string()
    .refine((text) => text.isWellFormed() && !text.includes("\0"), { error: "contains invalid characters" })
    .refine(
      (text) => text.length >= min && (text.length <= max || (text.length <= 2 * max && [...text].length <= max)),
      { error: `has to have ${min} to ${max} characters` },
    )

export const Name = chars(1, 128)
export const Description = chars(0, 1024)
export const Body = chars(1, 1024)
export const LastMessage = chars(0, 1024)
export const StatusMessage = chars(0, 999)
export const StatusIntentional = chars(0, 128)
/** What is given as a token; whether it is one is not said before it is looked up. */
export const Token = z.string().min(1).max(1024)
export const Ids = z.array(z.string())
export const Users = z.array(User).max(100_000)
export const Channels = z.array(Channel).max(100_000)
