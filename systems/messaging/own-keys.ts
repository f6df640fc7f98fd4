/* The messenger's keys beyond its document: part of schema.ts. They begin with `keywright:`,
 * and expire or empty themselves, except for the one that says whose a project is. */

import { float, hash, int, map, set, stream, string, text, zset } from "keywright"
import { eventKind, onlineKey, project, tenant, token } from "./ids.ts"

/** How long a spent refresh token is recognised where refresh tokens do not expire. */
const REMEMBERED = 30 * 86_400

export interface OwnLimits {
  readonly accessTtl: number
  readonly refreshTtl: number
  readonly eventsKept: number
  readonly eventsTtl: number
  readonly isTagged: boolean
}

export const ownKeys = ({ accessTtl, refreshTtl, eventsKept, eventsTtl, isTagged }: OwnLimits) => ({
  pairedRefresh: string("keywright:messaging:pair:{token}", token, {
    ttl: `${accessTtl}s`,
    doc: "The refresh token that belongs to an access token, so that a logout revokes both.",
  }),
  revoking: set("keywright:messaging:revoking:{project}:{service}", text, {
    ttl: "60s",
    doc: "Who revokes all tokens of a service now: none is exchanged meanwhile.",
  }),
  revokingUser: set("keywright:messaging:revoking:{project}:{service}:{user}", text, {
    ttl: "60s",
    doc: "The same for the tokens of one user.",
  }),
  contactsWriters: zset("keywright:messaging:writers:{project}:{service}:{user}", text, {
    score: float,
    ttl: "30s",
    doc: "Who changes a user's contacts in the source now: the list is not stored meanwhile.",
  }),
  contactsLoader: string("keywright:messaging:loader:{project}:{service}:{user}", text, {
    ttl: "30s",
    doc: "Who may store a user's contact list: the latest to change it, or the first to load it.",
  }),
  tokenFamily: hash(
    "keywright:messaging:family:{family}",
    { refresh: token, access: token, at: int },
    {
      ttl: `${refreshTtl === 0 ? REMEMBERED : refreshTtl}s`,
      doc: "The latest tokens of those that came from one another, and when they were given out: an earlier one that comes back ends them.",
    },
  ),
  tenantOfProject: map("keywright:messaging:tenants", project, tenant, {
    ttl: "never",
    doc: "Whose a project is, since its first token: tokens of another tenant would meet them in one scope.",
  }),

  shardCount: string("keywright:messaging:shards", int, {
    ttl: "never",
    doc: "On a cluster: how many tags services are shared out among. With another number they would be looked for elsewhere.",
  }),
  onlineServices: set("keywright:messaging:services", onlineKey(isTagged), {
    doc: "The OnSub of each service where somebody may be online: what the sweeper looks at.",
  }),
  events: stream(
    "keywright:messaging:events:{project}:{service}",
    {
      kind: eventKind,
      to: text,
      data: text,
    },
    {
      keep: eventsKept,
      ttl: `${eventsTtl}s`,
      doc: "What happened in a service, for streams that are open and for those who come back: `to` says who gets the data: users (u:), members (c:) or managers (m:) of a channel, those who have a user as a contact (p:).",
    },
  ),
})
