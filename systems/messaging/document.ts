/* What the messenger's page quotes of its document, and of the requirements that it became. */

import type { SystemDocument } from "../platform/pages/document.ts"

const CHANNEL_SETS =
  "Properties are the same except key structure. Key structure must be considered as the field name for each."
const SUBSCRIBER = "Keeps subscriber's structured fields."
const INVITES =
  "Keeps the invite ids of the subscribers' request to join to the channel and channel's invites to subscribers in a Redis set."

export const document: SystemDocument = {
  keys: {
    "people.status": [
      "MSG-K1",
      "It expires in 10 minutes. Absence of this key means the user is or has become offline.",
    ],
    "people.online": [
      "MSG-K16",
      "Online subscribers of a service is cached under a key like following: `P:456:S:789:OnSub`",
    ],
    "people.contacts": [
      "MSG-K2",
      "Messaging App use this data to decide if sender is allowed to send message to receiver.",
    ],
    "channels.channel.info": [
      "MSG-K3",
      "Channel's non-data-structured attributes, such as name, description, type and lastMessage are kept in a Redis hash.",
    ],
    "channels.channel.subscribers": ["MSG-K4", "It keeps ids of subscribers of channel in a Redis set."],
    "channels.channel.owners": ["MSG-K5", CHANNEL_SETS],
    "channels.channel.managers": ["MSG-K6", CHANNEL_SETS],
    "channels.channel.banned": ["MSG-K7", CHANNEL_SETS],
    "channels.channel.joinRequests": ["MSG-K8", INVITES],
    "channels.channel.invites": ["MSG-K9", INVITES],
    "people.subscriber.contacts": ["MSG-K10", SUBSCRIBER],
    "people.subscriber.channels": ["MSG-K11", SUBSCRIBER],
    "people.subscriber.bannedChannels": ["MSG-K12", SUBSCRIBER],
    "people.subscriber.bannedSubscribers": ["MSG-K13", SUBSCRIBER],
    "people.subscriber.invites": ["MSG-K14", SUBSCRIBER],
    "people.subscriber.joinRequests": ["MSG-K15", SUBSCRIBER],
    "people.refreshToken": [
      "MSG-K17",
      "This initial token expires in 30 seconds. Users must ask for new tokens within this short period.",
    ],
    "people.accessToken": ["MSG-K18", "Tokens are valid for 3 hours. User must renew with refresh token."],
    "people.tokenKeys": ["MSG-K19", "Token keys map is an hashmap object to keep actual key of user token."],
    "projects.googleServerKey": ["MSG-K20", "Google Server API Key"],
    "projects.googleProjectNumber": ["MSG-K20", "Google Project Number (Sender ID)"],
    "projects.apnsCertificate": ["MSG-K20", "APNS iOS Push Certificate"],
  },
  routes: {
    "POST /v1/saas/tokens": [
      "MSG-1",
      "Initially SaaS management generates a refresh token to allow user to generate own token pairs.",
    ],
    "POST /v1/auth/token": ["MSG-2", "Service Auth generates access tokens to allow user to consume resoures."],
    "DELETE /v1/auth/token": ["MSG-5", "A logout takes both tokens, the status and the place among those online."],
    "POST /v1/roc/status": [
      "MSG-8",
      "It is set or updated whenever the user login and send message, or change intentional status by client.",
    ],
    "POST /v1/roc/contacts": ["MSG-19", "Two people become contacts of each other, in every key that says so."],
    "DELETE /v1/roc/contacts/{id}": ["MSG-19", "A contact is removed on both sides."],
    "POST /v1/roc/channels": ["MSG-20", "The user who creates a channel is its subscriber, owner and manager."],
    "POST /v1/roc/invites": [
      "MSG-22",
      "Keeps the invite ids of the subscribers' request to join to the channel and channel's invites to subscribers.",
    ],
    "PUT /v1/roc/invites/{id}": [
      "MSG-23",
      "An answer takes the invite out of both sets, and a yes subscribes, all at once.",
    ],
    "POST /v1/roc/channels/{id}/bans": ["MSG-26", "A banned subscriber leaves the channel, with requests and invites."],
    "POST /v1/roc/banned-contacts": ["MSG-27", "A ban between people also ends their contact."],
    "POST /v1/roc/messages": [
      "MSG-29",
      "Messaging App use this data to decide if sender is allowed to send message to receiver.",
    ],
    "GET /v1/roc/messages": [
      "MSG-14",
      "Channel informations should be cached when a subscriber ask for messages of the channel.",
    ],
  },
}
