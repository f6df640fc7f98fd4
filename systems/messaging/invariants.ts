/* What must hold between the messenger's keys. */

import { at, compare, excludes, inverse, refersTo, sameIds } from "keywright"
import { channel, token, user } from "./ids.ts"

const OTHER_SETS = ["owners", "managers", "banned", "joinRequests", "invites"] as const

/** What expires leaves an entry elsewhere, until a sweeper removes it: within `grace`. */
export const rules = (grace: `${number}s`) =>
  [
    sameIds(user, ["people.status", "people.online"], { grace, doc: "Online means having a status." }),
    compare(at("people.refreshToken", "project"), "=", at("people.refreshToken", "{project}")),
    compare(at("people.accessToken", "project"), "=", at("people.accessToken", "{project}")),
    compare(at("people.tokenKeys", "value.params.token"), "=", at("people.tokenKeys", "field"), {
      doc: "A token leads to its own key.",
    }),
    refersTo(token, "people.accessToken", "people.tokenKeys", {
      doc: "A token that is not in the map is not valid.",
    }),
    refersTo(token, "people.refreshToken", "people.tokenKeys"),
    compare(at("people.subscriber.contacts", "member"), "!=", at("people.subscriber.contacts", "{user}"), {
      doc: "Contacts are other users.",
    }),
    compare(
      at("people.subscriber.bannedSubscribers", "member"),
      "!=",
      at("people.subscriber.bannedSubscribers", "{user}"),
    ),
    refersTo(channel, "channels.channel.subscribers", "channels.channel.info", {
      doc: "Without its hash a channel is not loaded, and its sets say nothing.",
    }),
    ...OTHER_SETS.map((name) => refersTo(channel, `channels.channel.${name}`, "channels.channel.info")),
    excludes("channels.channel.invites", "channels.channel.joinRequests", {
      doc: "An invite is an invitation or a request to join.",
    }),
    excludes("people.subscriber.invites", "people.subscriber.joinRequests"),
    excludes("channels.channel.banned", "channels.channel.subscribers", { doc: "Banned users are not subscribed." }),
    excludes("channels.channel.banned", "channels.channel.managers"),
    excludes("channels.channel.banned", "channels.channel.owners"),
    excludes("people.subscriber.bannedChannels", "people.subscriber.channels", {
      doc: "Users leave a channel that they ban.",
    }),
    excludes("people.subscriber.bannedSubscribers", "people.subscriber.contacts", {
      doc: "Nobody is in contact with those they ban.",
    }),
    inverse("channels.channel.subscribers", "people.subscriber.channels", { doc: "Where both are cached." }),
  ] as const
