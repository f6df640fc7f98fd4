/* The messenger's keys beyond its document: part of schema.ts. They begin with `keywright:`,
 * and expire or empty themselves, except for the one that says whose a project is. */

import { float, hash, int, map, set, stream, string, text, zset } from "keywright"
import { shardCountNote } from "../platform/shard-count.ts"
import { eventKind, onlineKey, project, tenant, token } from "./ids.ts"

/** How long a spent refresh token is recognised where refresh tokens do not expire. */
const REMEMBERED = 30 * 86_400

export interface OwnLimits {
  readonly accessTtl: number
  readonly refreshTtl: number
  readonly eventsKept: number
  readonly eventsTtl: number
}

const event = { kind: eventKind, to: text, data: text }

/** In the shard of a user. */
export const ownKeysOfPeople = ({ accessTtl, refreshTtl, eventsKept, eventsTtl }: OwnLimits) => ({
  pairedRefresh: string("keywright:messaging:pair:{token}", token, {
    was: "pairedRefresh",
    ttl: `${accessTtl}s`,
    doc: "The refresh token that belongs to an access token, so that a logout revokes both.",
  }),
  revoking: set("keywright:messaging:revoking:{project}:{service}", text, {
    was: "revoking",
    ttl: "60s",
    doc: "Who is revoking all tokens of a service; no token is exchanged meanwhile.",
  }),
  revokingUser: set("keywright:messaging:revoking:{project}:{service}:{user}", text, {
    was: "revokingUser",
    ttl: "60s",
    doc: "The same for the tokens of one user.",
  }),
  contactsWriters: zset("keywright:messaging:writers:{project}:{service}:{user}", text, {
    was: "contactsWriters",
    score: float,
    ttl: "30s",
    doc: "Who is changing a user's contacts in the source; the list is not stored meanwhile.",
  }),
  contactsLoader: string("keywright:messaging:loader:{project}:{service}:{user}", text, {
    was: "contactsLoader",
    ttl: "30s",
    doc: "Who may store a user's contact list: the latest to change it, or the first to load it.",
  }),
  tokenFamily: hash(
    "keywright:messaging:family:{family}",
    { refresh: token, access: token, at: int },
    {
      was: "tokenFamily",
      ttl: `${refreshTtl === 0 ? REMEMBERED : refreshTtl}s`,
      doc: "The latest tokens of a chain, and when they were issued: if an earlier token of the chain comes back, they end.",
    },
  ),
  onlineServices: set("keywright:messaging:services", onlineKey, {
    was: "onlineServices",
    evictable: true,
    doc: "The OnSub of each service where somebody may be online, for the sweeper. Rebuilt from the tokens at start-up.",
  }),
  untold: stream("keywright:messaging:untold:{project}:{service}", event, {
    keep: eventsKept,
    ttl: `${eventsTtl}s`,
    doc: "With shards: changes of presence on their way to the events of their service. Without, always empty.",
  }),
})

/** In the shard of a service. */
export const ownKeysOfServices = ({ eventsKept, eventsTtl }: OwnLimits) => ({
  events: stream("keywright:messaging:events:{project}:{service}", event, {
    was: "events",
    keep: eventsKept,
    ttl: `${eventsTtl}s`,
    doc: "The events of a service, for open streams and for readers that reconnect. `to` says who gets the data: users (u:), members (c:) or managers (m:) of a channel, or those who have a user as a contact (p:).",
  }),
  told: map("keywright:messaging:told:{project}:{service}", text, text, {
    ttl: `${eventsTtl}s`,
    doc: "With shards: the latest change of presence that came from each shard, so that none is published twice. Without, always empty.",
  }),
})

/** In the shard of a project. */
export const ownKeysOfProjects = {
  tenantOfProject: map("keywright:messaging:tenants", project, tenant, {
    was: "tenantOfProject",
    ttl: "never",
    doc: "The tenant of each project, since its first token: tokens of another tenant are refused.",
  }),
}

export const ownKeys = {
  shardCount: string("keywright:messaging:shards", int, shardCountNote),
}
