/* What must hold between the messenger's keys. */

import { at, compare, excludes, inverse, sameIds } from "keywright"
import { user } from "./ids.ts"

/** What expires leaves an entry elsewhere, until a sweeper removes it: within `grace`. */
export const rules = (grace: `${number}s`) =>
  [
    sameIds(user, ["service.status", "service.online"], { grace, doc: "Online means having a status." }),
    compare(at("service.refreshToken", "project"), "=", at("service.refreshToken", "{project}")),
    compare(at("service.accessToken", "project"), "=", at("service.accessToken", "{project}")),
    compare(at("tokenKeys", "value.params.token"), "=", at("tokenKeys", "field"), {
      doc: "A token leads to its own key.",
    }),
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
