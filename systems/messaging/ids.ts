/* What the messenger's keys and values are made of: one place says what an id is. */

import { id, keyOf, oneOf, secret, tagged } from "keywright"

const name = /[A-Za-z0-9_-]{1,64}/
export const tenant = id("tenant", { matching: name })
export const account = id("account", { matching: name })
export const project = id("project", { matching: name })
export const service = id("service", { matching: name })
export const user = id("user", { matching: name })
export const channel = id("channel", { matching: name })
export const invite = id("invite", { matching: name })
export const token = secret(id("token", { matching: /[A-Za-z0-9_-]{20,128}/ }))

/** Names the refresh tokens of one login. */
export const tokenFamily = secret(id("family", { matching: /[A-Za-z0-9_-]{22}/ }))

export const serviceCode = oneOf("push", "roc", "sms")
export const behaviour = oneOf("online", "idle", "offline")
export const CHANNEL_TYPES = [
  "public",
  "private",
  "invisible",
  "public-announcement",
  "private-announcement",
  "invisible-announcement",
] as const
export type ChannelType = (typeof CHANNEL_TYPES)[number]
export const channelType = oneOf(...CHANNEL_TYPES)

/** A person (`u_7`) or a channel (`c_7`) in a contact list. */
export const contact = tagged({ u_: user, c_: channel })

/** What a project's push service needs. */
export const googleServerKey = secret(id("server key", { matching: /[\x21-\x7e]{1,4096}/ }))
export const googleProjectNumber = secret(id("sender", { matching: /\d{1,32}/, example: "814227" }))
export const apnsCertificate = secret(
  id("certificate", { matching: /[\s\S]*-----END [A-Z0-9 ]{1,64}-----[\s\S]*/, example: "-----END CERTIFICATE-----" }),
)

/** What a stream of events reports. */
export const EVENT_KINDS = ["message", "presence", "invite", "ban", "contact"] as const
export type EventKind = (typeof EVENT_KINDS)[number]
export const eventKind = oneOf(...EVENT_KINDS)

/** The OnSub of a service. It is gone when nobody is online, and forgotten by the next sweep. */
export const onlineKey = keyOf({ online: "P:{project}:S:{service}:OnSub" }, { grace: "10s" })

/** The keys of tokens, by what they are good for. */
const TOKEN_KEYS = {
  refresh: "P:{project}:S:{service}:RefTok:{token}",
  access: "P:{project}:S:{service}:AccTok:{token}",
} as const

/** The real key of a token; in shards without the tag, which is that of the map. */
export const tokenKey = (options: { readonly grace?: `${number}s` } = {}) => secret(keyOf(TOKEN_KEYS, options))
