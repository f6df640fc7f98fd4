/* What the schema has no words for: for `keywright audit`, by keywright.config.ts. */

import type { AuditRule, RuleContext } from "keywright/operate"
import type { contact } from "./ids.ts"
import type { MessagingLimits } from "./schema.ts"

/** A refresh token that came with no access token is the first of its login; later ones stay until they are used (MSG-1, MSG-C9). */
const refreshTokens = ({
  initialRefreshTtl = 30,
  refreshTtl = 0,
}: MessagingLimits): AuditRule<{ readonly access_token?: string }>[] => [
  {
    code: "REFRESH_TOKEN.FIRST",
    of: "people.refreshToken",
    async check({ access_token }, { ttl }) {
      if (access_token !== undefined) return undefined
      const left = (await ttl()) ?? Infinity
      const expected = `a first refresh token that expires in ${initialRefreshTtl} seconds`
      return left > initialRefreshTtl * 1000 ? { expected, found: "one that stays longer" } : undefined
    },
  },
  {
    code: "REFRESH_TOKEN.LATER",
    of: "people.refreshToken",
    async check({ access_token }, { ttl }) {
      const isBrief = access_token !== undefined && refreshTtl === 0 && (await ttl()) !== undefined
      return isBrief ? { expected: "a later refresh token, which stays until it is used", found: "a TTL" } : undefined
    },
  },
]

/** Nobody can find one without a name (MSG-20). */
const channelName: AuditRule<{ readonly name?: string }> = {
  code: "CHANNEL.NAME",
  of: "channels.channel.info",
  check: ({ name }) =>
    name === "" ? { place: { field: "name" }, expected: "a name", found: "an empty one" } : undefined,
}

/** Who is offline has no status (MSG-9). */
const offline: AuditRule<{ readonly behavioral_status?: string }> = {
  code: "STATUS.OFFLINE",
  of: "people.status",
  check: ({ behavioral_status }) =>
    behavioral_status === "offline"
      ? { place: { field: "behavioral_status" }, expected: "no status at all", found: "offline" }
      : undefined,
}

type Contact = ReturnType<typeof contact.decode>
type Tag = Contact["tag"]

/** Each contact once, and none of oneself (MSG-18, MSG-19). */
const contacts: AuditRule<readonly Contact[]> = {
  code: "CONTACTS.ODD",
  of: "people.contacts",
  check(all, { params }) {
    const seen = new Set<string>()
    return all.flatMap(({ tag, id }) => {
      const member = `${tag}${id}`
      const isRepeated = seen.has(member)
      seen.add(member)
      if (isRepeated) return [{ place: { member }, expected: "each contact once", found: "one again" }]
      const isSelf = tag === "u_" && id === params["user"]
      return isSelf ? [{ place: { member }, expected: "other users", found: "the user" }] : []
    })
  },
}

/** What a contact list says about people and of channels, the subscriber's sets say too (MSG-C11). */
const SETS = { u_: "people.subscriber.contacts", c_: "people.subscriber.channels" } as const
const TAGS = Object.keys(SETS) as Tag[]

/** Those that another collection lacks; none where it is not cached. */
async function lacking<T>(all: readonly T[], entry: string, element: (one: T) => unknown, context: RuleContext) {
  if (all.length === 0 || (await context.size(entry)) === 0) return []
  const isThere = await context.lookUp(entry, all.map(element))
  return all.filter((_, i) => isThere[i] === false)
}

const listed: AuditRule<readonly Contact[]> = {
  code: "CONTACTS.NOT_CACHED",
  of: "people.contacts",
  async check(all, context) {
    const missing = TAGS.map((of) =>
      lacking(
        all.filter(({ tag, id }) => tag === of && !(of === "u_" && id === context.params["user"])),
        SETS[of],
        ({ id }) => id,
        context,
      ),
    )
    return (await Promise.all(missing)).flat().map(({ tag, id }) => ({
      place: { member: `${tag}${id}` },
      expected: `one of ${tag === "u_" ? "Sub:{user}:C" : "Sub:{user}:Ch"}, which is cached`,
      found: "no such id there",
    }))
  },
}

const cached = (tag: Tag): AuditRule<readonly string[]> => ({
  code: "CONTACTS.NOT_LISTED",
  of: SETS[tag],
  async check(all, context) {
    const others = all.filter((id) => tag === "c_" || id !== context.params["user"])
    const missing = await lacking(others, "people.contacts", (id) => ({ tag, id }), context)
    return missing.map((member) => ({
      place: { member },
      expected: `${tag}${member} in C:{user}, which is cached`,
      found: "no such contact there",
    }))
  },
})

/** Who is banned, or bans, may not write there any more: whose list may not have what (MSG-26, MSG-27). */
const apart = (of: string, whose: (member: string, params: RuleContext["params"]) => [user: string, not: Contact]) =>
  ({
    code: "CONTACTS.BANNED",
    of,
    async check(all: readonly string[], { params, lookUp }) {
      const kept = await Promise.all(
        all.map(async (member) => {
          const [user, not] = whose(member, params)
          return (await lookUp("people.contacts", [not], { user }))[0] === true
        }),
      )
      const found = all.filter((_, i) => kept[i])
      return found.map((member) => ({ place: { member }, expected: "nobody's contact", found: "one still" }))
    },
  }) satisfies AuditRule<readonly string[]>

const bans = [
  apart("channels.channel.banned", (user, { channel }) => [user, { tag: "c_", id: channel! }]),
  apart("people.subscriber.bannedChannels", (id, { user }) => [user!, { tag: "c_", id }]),
  apart("people.subscriber.bannedSubscribers", (id, { user }) => [user!, { tag: "u_", id }]),
]

export const auditRules = (limits: MessagingLimits = {}) =>
  [
    ...refreshTokens(limits),
    channelName,
    offline,
    contacts,
    listed,
    ...TAGS.map(cached),
    ...bans,
  ] as readonly AuditRule[]
