/* The messenger: presence, contacts, channels and tokens of many tenants. */

import { either, family, hash, isoInstant, keyspace, list, map, optional, set, sharded, string, text } from "keywright"
import {
  account,
  apnsCertificate,
  behaviour,
  channel,
  channelType,
  contact,
  googleProjectNumber,
  googleServerKey,
  invite,
  project,
  service,
  serviceCode,
  tenant,
  token,
  tokenFamily,
  tokenKey,
  user,
} from "./ids.ts"
import { ownKeys, ownKeysOfPeople, ownKeysOfProjects, ownKeysOfServices } from "./own-keys.ts"
import { rules } from "./invariants.ts"
import { stepsOf } from "./steps.ts"

const grant = { tenant, account, project, service: serviceCode, user }

/** Times in seconds; 0 means no expiry. */
export interface MessagingLimits {
  readonly statusTtl?: number
  readonly cacheTtl?: number
  readonly initialRefreshTtl?: number
  readonly accessTtl?: number
  readonly refreshTtl?: number
  readonly eventsKept?: number
  readonly eventsTtl?: number
  /** Between two passes of the sweepers. */
  readonly sweepEvery?: number
  /** How many shards users, channels, services and projects are spread over; 0: the document's names. */
  readonly shards?: number
}

/** What all keys of a service begin with. */
const X = "P:{project}:S:{service}:"

export const messagingSchema = (limits: MessagingLimits = {}) => {
  const { statusTtl = 600, cacheTtl = 10_800, initialRefreshTtl = 30, accessTtl = 10_800, refreshTtl = 0 } = limits
  const { eventsKept = 10_000, eventsTtl = 3600, sweepEvery = 5, shards = 0 } = limits
  const own = { accessTtl, refreshTtl, eventsKept, eventsTtl }
  /** What expires leaves an entry elsewhere, until a sweeper removes it. */
  const grace = `${2 * sweepEvery}s` as const
  return keyspace(
    {
      people: sharded(
        shards,
        "home",
        {
          status: hash(
            `${X}St:{user}`,
            {
              behavioral_status: behaviour,
              status_intentional: optional(text),
              status_message: optional(text),
              last_activity_time: optional(isoInstant),
            },
            {
              was: "service.status",
              ttl: `${statusTtl}s`,
              doc: "Behaviour and intent of a user. Absent means offline.",
            },
          ),
          online: set(`${X}OnSub`, user, { was: "service.online", doc: "Users whose status key is alive." }),
          contacts: list(`${X}C:{user}`, contact, {
            was: "service.contacts",
            doc: "Whom a user may write to: people (u_) and channels (c_), in order of arrival, each once.",
          }),
          subscriber: family(
            `${X}Sub:{user}:`,
            {
              was: "service.subscriber",
              ttl: `${cacheTtl}s`,
              doc: "A subscriber as loaded from the source; an absent set is read from there.",
            },
            {
              contacts: set("C", user, { doc: "Ids of contacts." }),
              channels: set("Ch", channel, { doc: "Ids of subscribed channels." }),
              bannedChannels: set("BanCh", channel, { doc: "Channels that the subscriber banned." }),
              bannedSubscribers: set("BanSub", user, { doc: "People whom the subscriber banned." }),
              invites: set("Inv", invite, { doc: "Invite ids received." }),
              joinRequests: set("JR", invite, { doc: "Invite ids of own requests to join." }),
            },
          ),

          refreshToken: hash(
            `${X}RefTok:{token}`,
            { ...grant, access_token: optional(token) },
            {
              was: "service.refreshToken",
              ttl: either(`${initialRefreshTtl}s`, refreshTtl === 0 ? "never" : `${refreshTtl}s`),
              doc: "Can be exchanged once. The first one is short-lived; later ones name the access token that they were issued with.",
            },
          ),
          accessToken: hash(`${X}AccTok:{token}`, grant, {
            was: "service.accessToken",
            ttl: `${accessTtl}s`,
            doc: "The identity of the bearer.",
          }),
          tokenKeys: map("TokensKeys", token, tokenKey({ grace }), {
            was: "tokenKeys",
            doc: "The real key of every token: looked up before project and service are known.",
          }),
          ...ownKeysOfPeople(own),
        },
        { checksumOf: ["project", "service", "user"], startOf: ["token", "family"] },
      ),

      channels: sharded(
        shards,
        "home",
        {
          channel: family(
            `${X}Ch:{channel}`,
            {
              was: "service.channel",
              ttl: `${cacheTtl}s`,
              marker: "info",
              doc: "A channel as loaded from the source; without `info` it is not loaded.",
            },
            {
              info: hash(
                "",
                { name: text, description: text, type: channelType, lastMessage: optional(text) },
                { doc: "The channel's fields that are not sets of ids." },
              ),
              subscribers: set(":Sub", user, { doc: "Ids of the subscribers." }),
              owners: set(":Own", user, { doc: "Ids of the owners." }),
              managers: set(":Man", user, { doc: "Ids of the managers." }),
              banned: set(":BanSub", user, { doc: "Ids of banned subscribers." }),
              joinRequests: set(":JR", invite, { doc: "Invite ids of requests to join." }),
              invites: set(":Inv", invite, { doc: "Invite ids of invitations sent." }),
            },
          ),
        },
        { checksumOf: ["project", "service", "channel"] },
      ),

      services: sharded(shards, "home", ownKeysOfServices(own), { checksumOf: ["project", "service"] }),

      projects: sharded(shards, "project", {
        googleServerKey: string("P:{project}:PGSK", googleServerKey, {
          was: "pushCredentials.googleServerKey",
          doc: "Google server API key.",
        }),
        googleProjectNumber: string("P:{project}:PGPN", googleProjectNumber, {
          was: "pushCredentials.googleProjectNumber",
          doc: "Google project number (sender id).",
        }),
        apnsCertificate: string("P:{project}:PAPC", apnsCertificate, {
          was: "pushCredentials.apnsCertificate",
          doc: "APNS iOS push certificate, PEM.",
        }),
        ...ownKeysOfProjects,
      }),
      ...ownKeys,
    },
    {
      name: "messaging",
      doc: "A multi-tenant messenger: who is online, who may write to whom, channels and tokens, cached from a relational source.",
      ttl: "never",
      params: { project, service, user, channel, token, family: tokenFamily },
      invariants: rules(grace),
      steps: stepsOf(shards),
    },
  )
}

/** Rules between users and channels, which are in different slots of a cluster: both are cached from the source. */
export const acceptSplit = ({ shards = 0 }: MessagingLimits): string[] =>
  shards === 0 ? [] : ["inverse(channels.channel.subscribers, people.subscriber.channels)"]

export const messaging = messagingSchema()
