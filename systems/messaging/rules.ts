/* What must hold between the messenger's keys. */

import { at, compare, excludes, inverse, refersTo, sameIds } from "keywright"
import { channel, token, user } from "./ids.ts"

const OTHER_SETS = ["owners", "managers", "banned", "joinRequests", "invites"] as const

/** What expires leaves an entry elsewhere, until a sweeper removes it: within `grace`. */
export const rules = (grace: `${number}s`) =>
  [
    sameIds(user, ["service.status", "service.online"], { grace, doc: "Online means having a status." }),
    compare(at("service.refreshToken", "project"), "=", at("service.refreshToken", "{project}")),
    compare(at("service.accessToken", "project"), "=", at("service.accessToken", "{project}")),
    compare(at("tokenKeys", "value.params.token"), "=", at("tokenKeys", "field"), {
      doc: "A token leads to its own key.",
    }),
    refersTo(token, "service.accessToken", "tokenKeys", { doc: "A token that is not in the map is good for nothing." }),
    refersTo(token, "service.refreshToken", "tokenKeys"),
    compare(at("service.subscriber.contacts", "member"), "!=", at("service.subscriber.contacts", "{user}"), {
      doc: "Contacts are other users.",
    }),
    compare(
      at("service.subscriber.bannedSubscribers", "member"),
      "!=",
      at("service.subscriber.bannedSubscribers", "{user}"),
    ),
    refersTo(channel, "service.channel.subscribers", "service.channel.info", {
      doc: "Without its hash a channel is not loaded, and its sets say nothing.",
    }),
    ...OTHER_SETS.map((name) => refersTo(channel, `service.channel.${name}`, "service.channel.info")),
    excludes("service.channel.invites", "service.channel.joinRequests", {
      doc: "An invite is an invitation or a request to join.",
    }),
    excludes("service.subscriber.invites", "service.subscriber.joinRequests"),
    excludes("service.channel.banned", "service.channel.subscribers", { doc: "Who is banned is not subscribed." }),
    excludes("service.channel.banned", "service.channel.managers"),
    excludes("service.channel.banned", "service.channel.owners"),
    excludes("service.subscriber.bannedChannels", "service.subscriber.channels", {
      doc: "Who bans a channel has left it.",
    }),
    excludes("service.subscriber.bannedSubscribers", "service.subscriber.contacts", {
      doc: "Who bans somebody is not in contact with them.",
    }),
    inverse("service.channel.subscribers", "service.subscriber.channels", { doc: "Where both are cached." }),
  ] as const
