/* Channels and who is what in them (MSG-20, MSG-25, MSG-26, MSG-28). Reasons to refuse
 * are checked first, without storing anything; what could have changed since is checked
 * again in the transaction. */

import { badRequest, conflict, forbidden, notFound } from "../../platform/http/problem.ts"
import type { MessagingContext } from "../context.ts"
import type { ChannelType } from "../ids.ts"
import {
  banInChannel,
  channelRecord,
  channelsNamed,
  deleteChannel,
  insertChannel,
  lockChannel,
  peopleOf,
  removeMember,
  setRoles,
  SUBSCRIBED,
  unbanInChannel,
  updateChannel,
  type ChannelRecord,
} from "../source/channels.ts"
import { addressNow } from "../source/incarnations.ts"
import { dropInvitesOf } from "../source/invites.ts"
import type { Sql } from "../source/prepared.ts"
import type { Bounds } from "./bounds.ts"
import type { Caches } from "./caches.ts"
import { channelContact } from "./contact-lists.ts"
import type { News, NewsService } from "./live/news.ts"
import { newId } from "./new-id.ts"
import { bannedHere, busy, lastOwner, managersOnly, noChannel, ownersOnly } from "./refusals.ts"
import { isLastOwner, isManaging, roleIn, seesPeople, viewOf, type Role } from "./role.ts"
import type { Principal, Scope } from "./scope.ts"

const TRIES = 4

/** A channel, and the caller's role in it. */
interface Seen {
  readonly record: ChannelRecord
  readonly role: Role
}

interface Ban {
  readonly channel: string
  readonly subscriber: string
  readonly banned: boolean
}

export function channels({ source, clock }: MessagingContext, cache: Caches, news: NewsService, bounds: Bounds) {
  const seen = async (me: Principal, id: string): Promise<Seen> => seenBy(me, await cache.channel.peek(me, id))
  const managed = async (me: Principal, id: string): Promise<Seen> => forManagers(await seen(me, id))
  const owned = async (me: Principal, id: string): Promise<Seen> => forOwners(await seen(me, id))

  /** The channel as it is now, and nobody else changes it before this transaction is over. */
  const locked = async (sql: Sql, scope: Scope, id: string): Promise<ChannelRecord> => {
    const record = (await lockChannel(sql, scope, id)) ? await channelRecord(sql, scope, id) : undefined
    if (!record) throw noChannel()
    return record
  }
  /** The same, with the caller's role in it now: it may have changed since the request was checked. */
  const seenNow = async (sql: Sql, me: Principal, id: string): Promise<Seen> => seenBy(me, await locked(sql, me, id))
  const managedNow = async (sql: Sql, me: Principal, id: string) => forManagers(await seenNow(sql, me, id))
  const ownedNow = async (sql: Sql, me: Principal, id: string) => forOwners(await seenNow(sql, me, id))

  const gone = (channel: string, user: string) => ({
    channels: [channel],
    users: [user],
    lists: [{ user, remove: channelContact(channel) }],
  })

  return {
    seen,
    locked,
    seenNow,

    /** Its creator is subscriber, owner and manager (MSG-20). */
    async create(
      me: Principal,
      given: { id?: string | undefined; name: string; description: string; type: ChannelType },
    ): Promise<string> {
      const { id = newId(clock), ...info } = given
      const taken = () => conflict("channel_exists", "there is a channel with this id already")
      if (await source.ask((sql) => channelRecord(sql, me, id))) throw taken()
      const concerned = { channels: [id], users: [me.user], lists: [{ user: me.user, add: channelContact(id) }] }
      await cache.change(me, concerned, async (sql) => {
        if (!(await insertChannel(sql, me, id, info, newId(clock)))) throw taken()
        await setRoles(sql, me, id, me.user, { ...SUBSCRIBED, is_owner: 1, is_manager: 1 }, newId(clock))
        await bounds.channels(sql, me, me.user)
      })
      return id
    },

    /** The caller's own, by id. */
    async own(me: Principal): Promise<{ id: string; name: string; type: ChannelType }[]> {
      const { channels: ids } = await cache.subscriber.load(me, me.user)
      return source.ask((sql) => channelsNamed(sql, me, ids))
    },

    /** As its reader may see it (MSG-28). */
    async get(me: Principal, id: string) {
      const { role } = await seen(me, id)
      const record = await cache.channel.load(me, id)
      if (!record) throw noChannel()
      return viewOf(id, record, role)
    },

    async update(me: Principal, id: string, fields: Partial<ChannelRecord["info"]>) {
      await managed(me, id)
      await cache.change(me, { channels: [id], fill: { channels: [id] } }, async (sql) => {
        await managedNow(sql, me, id)
        await updateChannel(sql, me, id, fields)
      })
      const { record, role } = await seen(me, id)
      return viewOf(id, record, role)
    },

    /** With everything that anybody has of it (MSG-20). */
    async remove(me: Principal, id: string): Promise<void> {
      await owned(me, id)
      for (let tries = 0; tries < TRIES; tries++) {
        const people = await source.ask((sql) => peopleOf(sql, me, id))
        const lists = people.map((user) => ({ user, remove: channelContact(id) }))
        const isDone = await cache.change(me, { channels: [id], users: people, lists }, async (sql) => {
          await ownedNow(sql, me, id)
          const now = await peopleOf(sql, me, id)
          if (now.some((user) => !people.includes(user))) return false
          await deleteChannel(sql, me, id)
          return true
        })
        if (isDone) return
      }
      throw busy()
    },

    async subscribers(me: Principal, id: string): Promise<string[]> {
      const { record, role } = await seen(me, id)
      if (!seesPeople(record, role)) throw forbidden("this is for subscribers of the channel", "subscribers_only")
      return ((await cache.channel.load(me, id)) ?? record).subscribers.toSorted()
    },

    /** Leaves a channel, or removes somebody from it (MSG-25). */
    async removeSubscriber(me: Principal, id: string, user: string): Promise<void> {
      const check = ({ record, role }: Seen) => {
        const theirs = roleIn(record, user)
        if (user !== me.user && !isManaging(role)) throw managersOnly()
        if (theirs === "outsider" || theirs === "banned")
          throw notFound("this person is not a subscriber", "not_subscribed")
        if (isLastOwner(record, user)) throw lastOwner()
        if (user !== me.user && theirs === "owner" && role !== "owner") throw ownersOnly()
      }
      check(await seen(me, id))
      await cache.change(me, gone(id, user), async (sql) => {
        check(await seenNow(sql, me, id))
        await removeMember(sql, me, id, user)
      })
    },

    async setManager(me: Principal, id: string, user: string, isManager: boolean): Promise<void> {
      const check = ({ record: { subscribers, managers } }: Seen) => {
        if (isManager && !subscribers.includes(user))
          throw notFound("this person is not a subscriber", "not_subscribed")
        if (!isManager && !managers.includes(user)) throw notFound("this person is not a manager", "not_a_manager")
      }
      check(await owned(me, id))
      await cache.change(me, { channels: [id], fill: { channels: [id] } }, async (sql) => {
        check(await ownedNow(sql, me, id))
        await setRoles(sql, me, id, user, { is_manager: isManager ? 1 : 0 }, newId(clock))
      })
    },

    /** MSG-26 */
    async ban(me: Principal, id: string, user: string): Promise<void> {
      const check = ({ record: { owners } }: Seen) => {
        if (owners.includes(user)) throw conflict("owner", "an owner cannot be banned")
        if (user === me.user) throw badRequest("yourself", "this is yourself")
      }
      check(await managed(me, id))
      await news.telling(me, (note) =>
        cache.change(me, { ...gone(id, user), fill: { channels: [id] } }, async (sql) => {
          check(await managedNow(sql, me, id))
          if (await banInChannel(sql, me, id, user, newId(clock))) await bounds.bansOfChannel(sql, me, id)
          await removeMember(sql, me, id, user)
          await dropInvitesOf(sql, me, id, user)
          await note(sql, await banNews(sql, me, { channel: id, subscriber: user, banned: true }))
        }),
      )
    },

    async banned(me: Principal, id: string): Promise<string[]> {
      const { record } = await managed(me, id)
      return ((await cache.channel.load(me, id)) ?? record).banned.toSorted()
    },

    /** MSG-26 */
    async unban(me: Principal, id: string, user: string): Promise<void> {
      const { record } = await managed(me, id)
      const notBanned = () => notFound("this user is not banned", "not_banned")
      if (!record.banned.includes(user)) throw notBanned()
      await news.telling(me, (note) =>
        cache.change(me, { channels: [id] }, async (sql) => {
          await managedNow(sql, me, id)
          if (!(await unbanInChannel(sql, me, id, user))) throw notBanned()
          await note(sql, await banNews(sql, me, { channel: id, subscriber: user, banned: false }))
        }),
      )
    },
  }
}

/** A caller who may not know of a channel is told that it does not exist. */
function seenBy(me: Principal, record: ChannelRecord | undefined): Seen {
  if (!record) throw noChannel()
  const role = roleIn(record, me.user)
  if (role === "banned") throw bannedHere()
  if (role === "outsider" && record.info.type.startsWith("invisible")) throw noChannel()
  return { record, role }
}
function forManagers(found: Seen): Seen {
  if (!isManaging(found.role)) throw managersOnly()
  return found
}
function forOwners(found: Seen): Seen {
  if (found.role !== "owner") throw ownersOnly()
  return found
}

/** The banned user and the managers of the channel are notified. */
const banNews = async (sql: Sql, scope: Scope, ban: Ban): Promise<News> => ({
  kind: "ban",
  users: [ban.subscriber],
  managers: await addressNow(sql, scope, ban.channel),
  data: ban,
})

export type Channels = ReturnType<typeof channels>
