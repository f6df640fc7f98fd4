/* Messages: who may write to whom is decided from what is cached, and from the source
 * where it is not; the messages themselves are in the source only (MSG-29, MSG-30). */

import { isoInstant } from "keywright"
import { fewWhileUp } from "../../platform/few-at-once.ts"
import { unlessAway } from "../../platform/redis-away.ts"
import type { MessagingContext } from "../context.ts"
import { lockChannel, standingIn, updateChannel, type Standing } from "../source/channels.ts"
import { addressNow } from "../source/incarnations.ts"
import { channelThread, insertMessages, messagesBefore, peopleThread, type Message } from "../source/messages.ts"
import type { Sql } from "../source/prepared.ts"
import { isBanBetween } from "../source/users.ts"
import type { Caches } from "./caches.ts"
import { channelContact, person, type ContactLists } from "./contact-lists.ts"
import { channelIn, homeOfUser } from "./homes.ts"
import type { NewsService } from "./live/news.ts"
import type { Relay } from "./live/relay.ts"
import { newId } from "./new-id.ts"
import { outgoingMessages } from "./outgoing-messages.ts"
import type { Presence } from "./presence.ts"
import { banned, bannedHere, managersOnly, noChannel, notContacts } from "./refusals.ts"
import { isManaging, roleIn } from "./role.ts"
import { at, type Principal } from "./scope.ts"

interface Services {
  readonly cache: Caches
  readonly lists: ContactLists
  readonly present: Presence
  readonly news: NewsService
  readonly relay: Relay
}

/** Messages of one user at once that are not allowed by what is cached. */
const AT_ONCE = 4

type Channel = Pick<Standing, "type" | "isManaging">

/** Refuses who may read a channel and not write to it (MSG-29). */
function checkWriter({ type, isManaging }: Channel): void {
  if (type.endsWith("-announcement") && !isManaging) throw managersOnly()
}

/** A channel that is not to be seen does not exist for others. */
const notIn = (type: Channel["type"]) => (type.startsWith("invisible") ? noChannel() : notContacts())

export function messages(context: MessagingContext, { cache, lists, present, news, relay }: Services) {
  const { db, homes, source, clock, redis, settings } = context
  const outgoing = outgoingMessages(context, news)
  const inTurn = fewWhileUp(redis, AT_ONCE)

  /** Refuses unless the other is a contact, and neither has banned the other. */
  const checkPerson = async (me: Principal, other: string): Promise<void> => {
    if (await source.ask((sql) => isBanBetween(sql, me, me.user, other))) throw banned()
    if (!(await lists.hasPerson(me, me.user, other))) throw notContacts()
  }

  /** Refuses unless the user is in the channel and not banned there (MSG-29). */
  const checkChannel = async (me: Principal, channel: string): Promise<Channel & { readonly isCached: boolean }> => {
    const { user } = me
    const [position, [type, isBanned, isManager, isOwner]] = await Promise.all([
      homes
        .person(me, user)
        .contacts({ user, ...at(me) })
        .position(channelContact(channel)),
      db.$multi((db) => {
        const family = channelIn(db, me, channel)
        return [
          family.info().get("type"),
          family.banned().has(user),
          family.managers().has(user),
          family.owners().has(user),
        ]
      }),
    ])
    if (position !== undefined && type !== undefined) {
      if (isBanned) throw bannedHere()
      return { type, isManaging: isManager || isOwner, isCached: true }
    }
    const record = await cache.channel.peek(me, channel)
    if (!record) throw noChannel()
    const role = roleIn(record, user)
    if (role === "banned") throw bannedHere()
    const { type: kind } = record.info
    const isListed = (await lists.peek(me, user)).some(({ tag, id }) => tag === "c_" && id === channel)
    if (!isListed) throw notIn(kind)
    return { type: kind, isManaging: isManaging(role), isCached: position !== undefined }
  }

  /** The same of a channel that is locked: somebody else may have banned the user since, in another process. */
  const checkLocked = async (sql: Sql, me: Principal, channel: string): Promise<void> => {
    const now = (await lockChannel(sql, me, channel)) ? await standingIn(sql, me, channel, me.user) : undefined
    if (now === undefined) throw noChannel()
    if (now.isBanned) throw bannedHere()
    if (!now.isListed) throw notIn(now.type)
    checkWriter(now)
  }

  const newMessage = (me: Principal, body: string): Message => ({
    id: newId(clock),
    from: me.user,
    body,
    at: isoInstant.encode(clock.now()),
  })

  /** The message is sent whatever becomes of this. */
  const sent = (me: Principal, isCached: boolean) =>
    unlessAway(redis, () => Promise.all([present.refresh(me, me.user), isCached || lists.load(me, me.user)]))

  /** In shards what the receiver has banned is in another slot: it is read beside the step. */
  const isBannedElsewhere = async (me: Principal, receiver: string): Promise<boolean> => {
    if (!homes.isSharded) return false
    const theirs = homes.person(me, receiver).subscriber({ user: receiver, ...at(me) })
    return theirs.bannedSubscribers().has(me.user)
  }

  return {
    /**
     * Whatever is cached, and the sender's presence, is one step; the source is asked when the message is stored. A user
     * for whom that does not decide takes turns.
     */
    async sendToPerson(me: Principal, receiver: string, body: string): Promise<string> {
      const { project, service, user } = me
      if (await isBannedElsewhere(me, receiver)) throw banned()
      const allowed = await db.$steps.writeToPerson({
        home: homeOfUser(me, user),
        project,
        service,
        contacts: [{ user }],
        status: [{ user }],
        bannedSubscribers: homes.isSharded ? [{ user }] : [{ user }, { user: receiver }],
        item: person(receiver),
        sender: user,
        receiver,
        at: isoInstant.encode(clock.now()),
        ms: settings.statusTtl * 1000,
        ...relay.kept,
      })
      if (allowed < 0) throw banned()
      if (allowed === 2) await relay.of(me, user)
      const send = async () => {
        const message = newMessage(me, body)
        await outgoing.send({ scope: me, receiver, message })
        return message.id
      }
      if (allowed > 0) return send()
      return inTurn(`${project} ${service} ${user}`, async () => {
        await checkPerson(me, receiver)
        const id = await send()
        await sent(me, false)
        return id
      })
    },

    async sendToChannel(me: Principal, channel: string, body: string): Promise<string> {
      const found = await checkChannel(me, channel)
      checkWriter(found)
      const id = await news.telling(me, (note) =>
        cache.change(me, { channels: [channel] }, async (sql) => {
          await checkLocked(sql, me, channel)
          await updateChannel(sql, me, channel, { lastMessage: body })
          const message = newMessage(me, body)
          await insertMessages(sql, [{ scope: me, thread: channelThread(channel), message }])
          const to = await addressNow(sql, me, channel)
          await note(sql, { kind: "message", channel: to, data: { ...message, channel } })
          return message.id
        }),
      )
      await sent(me, found.isCached)
      return id
    },

    /** The newest first; `next` is the cursor of the next page. */
    async list(
      me: Principal,
      of: { readonly channel: string } | { readonly subscriber: string },
      cursor: string | undefined,
      limit: number,
    ): Promise<{ messages: Message[]; next?: string }> {
      let thread: string
      if ("channel" in of) {
        await checkChannel(me, of.channel)
        if (!(await cache.channel.load(me, of.channel))) throw noChannel()
        await cache.channel.touch(me, of.channel)
        thread = channelThread(of.channel)
      } else {
        await checkPerson(me, of.subscriber)
        thread = peopleThread(me.user, of.subscriber)
      }
      const found = await source.ask((sql) => messagesBefore(sql, me, thread, cursor, limit + 1))
      const page = found.slice(0, limit)
      return { messages: page, ...(found.length > limit && { next: page.at(-1)!.id }) }
    },
  }
}

export type Messages = ReturnType<typeof messages>
