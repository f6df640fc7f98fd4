/* The messenger's atomic steps: each is a script in steps/, whose header says more. */

import { arrayOf, flag, int, maybe, optional, step, text, tupleOf } from "keywright"
import { luaBeside } from "../platform/lua.ts"
import { contact, token, user } from "./ids.ts"

const lua = luaBeside(import.meta.url)

const presence = ["service.status", "service.online"] as const
const pairs = ["service.refreshToken[]", "service.accessToken[]", "pairedRefresh[]"] as const
/** What a hash may lack. */
const said = optional(text)
const contacts = ["service.contacts", "contactsWriters", "contactsLoader"] as const

export const steps = {
  lookUp: step({
    script: lua("look-up"),
    keys: ["tokenKeys"],
    args: { token },
    returns: maybe(tupleOf(text, said, said, said, said, said)),
    doc: "The real key of a token, and what it says.",
  }),
  exchange: step({
    script: lua("exchange"),
    keys: ["tokenKeys", ...presence, "revoking", "revokingUser", ...pairs],
    args: {
      member: user,
      old: token,
      refresh: token,
      access: token,
      oldAccess: text,
      refreshMs: int,
      accessMs: int,
      statusMs: int,
      at: text,
    },
    returns: int,
    doc: "A refresh token, once, for a new pair; its user is online then.",
  }),
  revoke: step({
    script: lua("revoke"),
    keys: ["tokenKeys", ...presence, ...pairs],
    args: { member: user, refresh: arrayOf(token), access: arrayOf(token) },
    returns: int,
    doc: "Ends tokens of a user, who is offline then.",
  }),
  sweepTokens: step({
    script: lua("sweep-tokens"),
    keys: ["tokenKeys"],
    args: { cursor: text, count: int },
    returns: tupleOf(text, int),
    doc: "A page of the map: fields whose token is gone go too.",
  }),
  sweepOnline: step({
    script: lua("sweep-online"),
    keys: ["service.online", "service.status[]"],
    args: { users: arrayOf(user) },
    returns: arrayOf(user),
    doc: "Of these users the ones with a status; the others are online no more.",
  }),
  present: step({
    script: lua("present"),
    keys: presence,
    args: { member: user, at: text, ms: int },
    doc: "A user did something: he is online.",
  }),
  writeToPerson: step({
    script: lua("write-to-person"),
    keys: ["service.online", "service.contacts[]", "service.status[]", "service.subscriber.bannedSubscribers[]"],
    args: { item: contact, sender: user, receiver: user, at: text, ms: int },
    returns: int,
    doc: "Whether one user may write to another; if so, he is present.",
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
    keys: ["service.contacts", "contactsLoader"],
    args: { by: text, items: arrayOf(contact) },
    returns: flag,
    doc: "Stores a contact list as it was loaded, unless somebody changed it since.",
  }),
  holdContacts: step({
    script: lua("hold-contacts"),
    keys: contacts,
    args: { by: text, ms: int },
    returns: arrayOf(text),
    doc: "Takes a contact list away while the source is changed.",
  }),
  settleContacts: step({
    script: lua("settle-contacts"),
    keys: contacts,
    args: { by: text, items: arrayOf(text) },
    returns: flag,
    doc: "Puts a contact list back, as it is after the change.",
  }),
}
