/* Contacts, which are mutual, and whom a subscriber does not want to hear of (MSG-18,
 * MSG-19, MSG-27). */

import { badRequest, notFound } from "../../platform/http/problem.ts"
import type { MessagingContext } from "../context.ts"
import { channelRecord, lockChannel, removeMember } from "../source/channels.ts"
import { dropInvitesOf } from "../source/invites.ts"
import {
  addBan,
  addContact,
  isBanBetween,
  isContact,
  lockUsers,
  removeBan,
  removeContacts,
  userRecord,
  type BanKind,
  type UserRecord,
} from "../source/users.ts"
import type { Bounds } from "./bounds.ts"
import type { Caches } from "./caches.ts"
import { channelContact, person, type ContactLists } from "./contact-lists.ts"
import type { News, NewsService } from "./live/news.ts"
import { newId } from "./new-id.ts"
import { banned, lastOwner, noChannel } from "./refusals.ts"
import { isLastOwner, roleIn } from "./role.ts"
import type { Principal } from "./scope.ts"

export function contacts(
  { source, clock }: MessagingContext,
  cache: Caches,
  lists: ContactLists,
  news: NewsService,
  bounds: Bounds,
) {
  const notYourself = (me: string, other: string) => {
    if (me === other) throw badRequest("yourself", "this is yourself")
  }

  /** Both are contacts no more. */
  const apart = (a: string, b: string) => [
    { user: a, remove: person(b) },
    { user: b, remove: person(a) },
  ]

  return {
    /** All six sets of a subscriber (MSG-17). */
    me: ({ user, ...scope }: Principal): Promise<UserRecord> => cache.subscriber.load(scope, user),

    async list({ user, ...scope }: Principal): Promise<{ contacts: string[]; channels: string[] }> {
      const items = await lists.load(scope, user)
      const ids = (wanted: string) => items.flatMap(({ tag, id }) => (tag === wanted ? [id as string] : []))
      return { contacts: ids("u_"), channels: ids("c_") }
    },

    /** MSG-19 */
    async add(me: Principal, other: string): Promise<void> {
      notYourself(me.user, other)
      if (await source.ask((sql) => isBanBetween(sql, me, me.user, other))) throw banned()
      const edits = [
        { user: me.user, add: person(other) },
        { user: other, add: person(me.user) },
      ]
      await news.telling(me, (note) =>
        cache.change(me, { users: [me.user, other], lists: edits }, async (sql) => {
          await lockUsers(sql, me, [me.user, other])
          if (await isBanBetween(sql, me, me.user, other)) throw banned()
          if (await addContact(sql, me, me.user, other, newId(clock))) await bounds.contacts(sql, me, me.user)
          if (await addContact(sql, me, other, me.user, newId(clock))) await bounds.contacts(sql, me, other)
          await note(sql, contactNews(me.user, other, true))
        }),
      )
    },

    /** MSG-19 */
    async remove(me: Principal, other: string): Promise<void> {
      const gone = () => notFound("you are not contacts", "not_contacts")
      if (!(await source.ask((sql) => isContact(sql, me, me.user, other)))) throw gone()
      const concerned = { users: [me.user, other], lists: apart(me.user, other) }
      await news.telling(me, (note) =>
        cache.change(me, concerned, async (sql) => {
          await lockUsers(sql, me, [me.user, other])
          if (!(await removeContacts(sql, me, me.user, other))) throw gone()
          await note(sql, contactNews(me.user, other, false))
        }),
      )
    },

    /** Bans a person; the two are contacts no more (MSG-27). */
    async banPerson(me: Principal, other: string): Promise<void> {
      notYourself(me.user, other)
      const concerned = { users: [me.user, other], lists: apart(me.user, other), fill: { users: [me.user] } }
      await news.telling(me, (note) =>
        cache.change(me, concerned, async (sql) => {
          await lockUsers(sql, me, [me.user, other])
          if (await addBan(sql, me, me.user, "user", other, newId(clock))) await bounds.bans(sql, me, me.user, "user")
          if (await removeContacts(sql, me, me.user, other)) await note(sql, contactNews(me.user, other, false))
          await note(sql, ownBanNews(me.user, "user", other, true))
        }),
      )
    },

    /** Bans a channel, and leaves it (MSG-27). */
    async banChannel(me: Principal, channel: string): Promise<void> {
      const known = await cache.channel.peek(me, channel)
      if (!known || (roleIn(known, me.user) === "outsider" && known.info.type.startsWith("invisible")))
        throw noChannel()
      if (isLastOwner(known, me.user)) throw lastOwner()
      const concerned = {
        channels: [channel],
        users: [me.user],
        lists: [{ user: me.user, remove: channelContact(channel) }],
        fill: { users: [me.user] },
      }
      await news.telling(me, (note) =>
        cache.change(me, concerned, async (sql) => {
          if (!(await lockChannel(sql, me, channel))) throw noChannel()
          if (isLastOwner((await channelRecord(sql, me, channel))!, me.user)) throw lastOwner()
          if (await addBan(sql, me, me.user, "channel", channel, newId(clock)))
            await bounds.bans(sql, me, me.user, "channel")
          await removeMember(sql, me, channel, me.user)
          await dropInvitesOf(sql, me, channel, me.user)
          await note(sql, ownBanNews(me.user, "channel", channel, true))
        }),
      )
    },

    async unban(me: Principal, kind: BanKind, target: string): Promise<void> {
      const gone = () => notFound("you have not banned this", "not_banned")
      const record = await source.ask((sql) => userRecord(sql, me, me.user))
      if (!record[kind === "user" ? "bannedSubscribers" : "bannedChannels"].includes(target)) throw gone()
      await news.telling(me, (note) =>
        cache.change(me, { users: [me.user] }, async (sql) => {
          if (!(await removeBan(sql, me, me.user, kind, target))) throw gone()
          await note(sql, ownBanNews(me.user, kind, target, false))
        }),
      )
    },
  }
}

const contactNews = (a: string, b: string, contacts: boolean): News => ({
  kind: "contact",
  users: [a, b],
  data: { users: [a, b], contacts },
})

/** Only the user who bans is notified: the other learns of it when they write. */
const ownBanNews = (by: string, kind: BanKind, target: string, banned: boolean): News => ({
  kind: "ban",
  users: [by],
  data: { by, [kind]: target, banned },
})

export type Contacts = ReturnType<typeof contacts>
