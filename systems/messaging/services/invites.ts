/* How people join channels: they ask, or are invited, and somebody answers; once
 * (MSG-21 to MSG-24). */

import { forbidden } from "../../platform/http/problem.ts"
import type { MessagingContext } from "../context.ts"
import { setRoles, SUBSCRIBED, type ChannelRecord } from "../source/channels.ts"
import { addressNow } from "../source/incarnations.ts"
import {
  dropInvitesOf,
  findInvite,
  insertInvite,
  invitesOf,
  pendingInvite,
  takeInvite,
  type Invite,
} from "../source/invites.ts"
import type { Sql } from "../source/prepared.ts"
import { userRecord } from "../source/users.ts"
import type { Bounds } from "./bounds.ts"
import type { Caches, Concerned } from "./caches.ts"
import type { Channels } from "./channels.ts"
import { channelContact } from "./contact-lists.ts"
import type { News, NewsService } from "./live/news.ts"
import { newId } from "./new-id.ts"
import { alreadyPending, alreadySubscribed, banned, busy, managersOnly, noInvite } from "./refusals.ts"
import { isManaging, roleIn } from "./role.ts"
import type { Principal, Scope } from "./scope.ts"

const isPublic = ({ info }: ChannelRecord): boolean => info.type.startsWith("public")

type State = "pending" | "approved" | "rejected" | "cancelled"

/** Whom an invite concerns: who is invited or asks, who made it, and who manages the channel. */
const inviteNews = async (sql: Sql, scope: Scope, invite: Invite, state: State): Promise<News> => ({
  kind: "invite",
  users: [...new Set([invite.invitee, invite.by])],
  managers: await addressNow(sql, scope, invite.channel),
  data: { ...invite, state },
})

export function invites(
  { source, clock }: MessagingContext,
  cache: Caches,
  channels: Channels,
  news: NewsService,
  bounds: Bounds,
) {
  /** What prevents a user from becoming a subscriber. */
  const check = async (sql: Sql, me: Principal, record: ChannelRecord, channel: string, invitee: string) => {
    if (record.banned.includes(invitee)) throw forbidden("banned from this channel", "banned")
    if (record.subscribers.includes(invitee)) throw alreadySubscribed()
    const { bannedChannels, bannedSubscribers } = await userRecord(sql, me, invitee)
    if (bannedChannels.includes(channel) || bannedSubscribers.includes(me.user)) throw banned()
  }

  const joining = (channel: string, user: string): Concerned => ({
    channels: [channel],
    users: [user],
    lists: [{ user, add: channelContact(channel) }],
    fill: { channels: [channel], users: [user], lists: [user] },
  })

  const subscribe = async (me: Principal, channel: string): Promise<void> => {
    await cache.change(me, joining(channel, me.user), async (sql) => {
      const { record } = await channels.seenNow(sql, me, channel)
      if (!isPublic(record)) throw busy()
      await check(sql, me, record, channel, me.user)
      await setRoles(sql, me, channel, me.user, SUBSCRIBED, newId(clock))
      await bounds.channels(sql, me, me.user)
      await dropInvitesOf(sql, me, channel, me.user)
    })
  }

  const create = async (me: Principal, invite: Invite): Promise<void> => {
    const { channel, invitee } = invite
    const concerned = { channels: [channel], users: [invitee], fill: { channels: [channel], users: [invitee] } }
    await news.telling(me, (note) =>
      cache.change(me, concerned, async (sql) => {
        const { record, role } = await channels.seenNow(sql, me, channel)
        if (invite.kind === "invite" && !isManaging(role)) throw managersOnly()
        await check(sql, me, record, channel, invitee)
        if (!(await insertInvite(sql, me, invite))) throw alreadyPending()
        await bounds.pending(sql, me, me.user)
        await note(sql, await inviteNews(sql, me, invite, "pending"))
      }),
    )
  }

  /** The invite and whether the caller manages its channel; others may not see it. */
  const seen = async (me: Principal, id: string): Promise<{ invite: Invite; managing: boolean }> => {
    const invite = await source.ask((sql) => findInvite(sql, me, id))
    if (!invite) throw noInvite()
    const record = await cache.channel.peek(me, invite.channel)
    const managing = record !== undefined && isManaging(roleIn(record, me.user))
    if (!managing && invite.by !== me.user && invite.invitee !== me.user)
      throw forbidden("this is not your invite", "not_yours")
    return { invite, managing }
  }

  return {
    /** Asks to join (MSG-21): at once where the channel is public, by an invite id otherwise. */
    async ask(me: Principal, channel: string): Promise<{ id: string } | { subscribed: true }> {
      const { record } = await channels.seen(me, channel)
      const pending = await source.ask(async (sql) => {
        await check(sql, me, record, channel, me.user)
        return pendingInvite(sql, me, channel, me.user)
      })
      if (isPublic(record)) {
        await subscribe(me, channel)
        return { subscribed: true }
      }
      if (pending) throw alreadyPending()
      const id = newId(clock)
      await create(me, { id, channel, invitee: me.user, by: me.user, kind: "join" })
      return { id }
    },

    /** MSG-22 */
    async invite(me: Principal, channel: string, invitee: string): Promise<{ id: string }> {
      const { record, role } = await channels.seen(me, channel)
      if (!isManaging(role)) throw managersOnly()
      const pending = await source.ask(async (sql) => {
        await check(sql, me, record, channel, invitee)
        return pendingInvite(sql, me, channel, invitee)
      })
      if (pending) throw alreadyPending()
      const id = newId(clock)
      await create(me, { id, channel, invitee, by: me.user, kind: "invite" })
      return { id }
    },

    list: (me: Principal): Promise<Invite[]> => source.ask((sql) => invitesOf(sql, me, me.user)),

    get: async (me: Principal, id: string): Promise<Invite> => (await seen(me, id)).invite,

    /** Once: of an answer and a cancellation at the same time, one wins (MSG-23). */
    async answer(me: Principal, id: string, isApproved: boolean): Promise<void> {
      const { invite, managing } = await seen(me, id)
      const { channel, invitee, kind } = invite
      if (kind === "join" ? !managing : invitee !== me.user)
        throw forbidden("this is for others to answer", "not_yours_to_answer")
      const concerned = isApproved ? joining(channel, invitee) : { channels: [channel], users: [invitee] }
      await news.telling(me, (note) =>
        cache.change(me, concerned, async (sql) => {
          const now = await channels.locked(sql, me, channel)
          if (kind === "join" && !isManaging(roleIn(now, me.user))) throw managersOnly()
          if (!(await takeInvite(sql, me, id))) throw noInvite()
          await note(sql, await inviteNews(sql, me, invite, isApproved ? "approved" : "rejected"))
          if (!isApproved) return
          if (now.banned.includes(invitee)) throw forbidden("banned from this channel", "banned")
          await setRoles(sql, me, channel, invitee, SUBSCRIBED, newId(clock))
          await bounds.channels(sql, me, invitee)
        }),
      )
    },

    /** MSG-24 */
    async cancel(me: Principal, id: string): Promise<void> {
      const { invite } = await seen(me, id)
      if (invite.by !== me.user) throw forbidden("only its author can cancel an invite", "not_yours_to_cancel")
      await news.telling(me, (note) =>
        cache.change(me, { channels: [invite.channel], users: [invite.invitee] }, async (sql) => {
          if (!(await takeInvite(sql, me, id))) throw noInvite()
          await note(sql, await inviteNews(sql, me, invite, "cancelled"))
        }),
      )
    },
  }
}

export type Invites = ReturnType<typeof invites>
