/* The messenger's atomic steps: each is a script in steps/, whose header says more. */

import { arrayOf, flag, int, maybe, optional, pairsOf, secret, step, text, tupleOf } from "keywright"
import { luaBeside } from "../platform/lua.ts"
import { contact, token, user } from "./ids.ts"

const lua = luaBeside(import.meta.url)

const online = ["people.online", "people.onlineServices"] as const
const pairs = ["people.refreshToken[]", "people.accessToken[]", "people.pairedRefresh[]"] as const
/** How many events are kept, and for how long. */
const kept = { kept: int, keptMs: int }
/** What a hash may lack. */
const said = optional(text)
const contacts = ["people.contacts", "people.contactsWriters", "people.contactsLoader"] as const

/** In shards a change of presence waits in the shard of its user, until it is published in the shard of its service. */
export const stepsOf = (shards: number) => {
  const news = shards === 0 ? ("services.events" as const) : ("people.untold" as const)
  const presence = ["people.status", ...online, news] as const
  return {
    lookUp: step({
      script: lua("look-up"),
      keys: ["people.tokenKeys"],
      args: { token },
      returns: maybe(tupleOf(text, said, said, said, said, said)),
      doc: "The real key of a token, and what it says.",
    }),
    readToken: step({
      script: lua.with("named", "read-token"),
      keys: ["people.tokenKeys", "people.refreshToken[]", "people.accessToken[]"],
      args: { token },
      returns: maybe(tupleOf(text, said, said, said, said, said)),
      doc: "The same if the key is already known from the map: for clusters.",
    }),
    exchange: step({
      script: lua.with(["tell", "named"], "exchange"),
      keys: ["people.tokenKeys", ...presence, "people.revoking", "people.revokingUser", "people.tokenFamily", ...pairs],
      args: {
        member: user,
        old: token,
        refresh: token,
        access: token,
        oldAccess: secret(text),
        refreshMs: int,
        accessMs: int,
        statusMs: int,
        at: text,
        ...kept,
        familyMs: int,
        instant: int,
      },
      returns: int,
      doc: "Exchanges a refresh token, once, for a new pair, and sets its user online.",
    }),
    revoke: step({
      script: lua.with("tell", "revoke"),
      keys: ["people.tokenKeys", ...presence, ...pairs],
      args: { member: user, refresh: arrayOf(token), access: arrayOf(token), ...kept },
      returns: int,
      doc: "Ends tokens of a user, and sets the user offline.",
    }),
    sweepTokens: step({
      script: lua("sweep-tokens"),
      keys: ["people.tokenKeys"],
      args: { cursor: text, count: int },
      returns: tupleOf(text, int),
      doc: "A page of the map: removes fields whose token is gone.",
    }),
    dropTokens: step({
      script: lua.with("named", "drop-tokens"),
      keys: ["people.tokenKeys", "people.refreshToken[]", "people.accessToken[]"],
      args: { refresh: arrayOf(token), access: arrayOf(token) },
      returns: int,
      doc: "Removes the fields of those tokens that are gone: for clusters.",
    }),
    sweepOnline: step({
      script: lua.with(["tell", "named"], "sweep-online"),
      keys: [...online, news, "people.status[]"],
      args: { ...kept, users: arrayOf(user) },
      returns: arrayOf(user),
      doc: "Which of these users have a status; the others are no longer online.",
    }),
    present: step({
      script: lua.with(["tell", "named", "be-present"], "present"),
      keys: presence,
      args: { member: user, at: text, ms: int, ...kept },
      returns: flag,
      doc: "A user did something: they are online.",
    }),
    stateStatus: step({
      script: lua.with(["tell", "named"], "state-status"),
      keys: presence,
      args: { member: user, ms: int, ...kept, at: text, fields: arrayOf(text) },
      returns: pairsOf(text, text),
      doc: "A user states a status; without fields, that they are offline.",
    }),
    writeToPerson: step({
      script: lua.with(["tell", "named", "be-present"], "write-to-person"),
      keys: [...online, news, "people.contacts[]", "people.status[]", "people.subscriber.bannedSubscribers[]"],
      args: { item: contact, sender: user, receiver: user, at: text, ms: int, ...kept },
      returns: int,
      doc: "Whether one user may write to another; if so, sets the sender online.",
    }),
    beginContacts: step({
      script: lua("begin-contacts"),
      keys: contacts,
      args: { by: text, ms: int },
      returns: flag,
      doc: "Whether what is loaded now may be stored later.",
    }),
    storeContacts: step({
      script: lua("store-contacts"),
      keys: ["people.contacts", "people.contactsLoader"],
      args: { by: text, items: arrayOf(contact) },
      returns: flag,
      doc: "Stores a contact list as it was loaded, unless somebody changed it since.",
    }),
    holdContacts: step({
      script: lua("hold-contacts"),
      keys: contacts,
      args: { by: text, ms: int },
      returns: arrayOf(text),
      doc: "Removes a contact list while the source is changed.",
    }),
    settleContacts: step({
      script: lua("settle-contacts"),
      keys: contacts,
      args: { by: text, items: arrayOf(text) },
      returns: flag,
      doc: "Puts a contact list back, as it is after the change.",
    }),
    announce: step({
      script: lua.with("tell", "announce"),
      keys: ["services.events"],
      args: { ...kept, events: arrayOf(text) },
      doc: "Publishes what happened in the source.",
    }),
    eventsAfter: step({
      script: lua("events-after"),
      keys: ["services.events"],
      args: { after: text, count: int },
      returns: arrayOf(tupleOf(text, text, text, text)),
      doc: "What happened after an id, the oldest first.",
    }),
    eventsKept: step({
      script: lua("events-kept"),
      keys: ["services.events"],
      args: {},
      returns: tupleOf(text, text, int, int),
      doc: "The first id, the latest, how many, and the server's time.",
    }),
    liveTokens: step({
      script: lua.with("named", "live-tokens"),
      keys: ["people.tokenKeys", "people.accessToken[]"],
      args: { tokens: arrayOf(token) },
      returns: arrayOf(flag),
      doc: "Which of these access tokens are still valid.",
    }),
    haveContact: step({
      script: lua("have-contact"),
      keys: ["people.contacts[]"],
      args: { people: arrayOf(contact) },
      returns: arrayOf(int),
      doc: "Which of these users have whom as a contact.",
    }),
    relay: step({
      script: lua.with("tell", "relay"),
      keys: ["services.events", "services.told"],
      args: { from: text, ...kept, events: arrayOf(text) },
      returns: int,
      doc: "Publishes the changes of presence of one shard, each once.",
    }),
  }
}
