/* Who is notified of what, as of the moment of delivery: a user who has left a channel,
 * or was banned there, is no longer notified, not even of earlier events. Nobody
 * is notified of what happened in a channel that was deleted, not even the members of a new one with its id. */

import type { MessagingContext } from "../../context.ts"
import { eventKind, type EventKind } from "../../ids.ts"
import type { ChannelRecord } from "../../source/channels.ts"
import type { Caches } from "../caches.ts"
import { person, type ContactLists } from "../contact-lists.ts"
import { channelIn, homeOfUser } from "../homes.ts"
import { at, type Scope } from "../scope.ts"
import { addressesNow, channelOf } from "../../source/incarnations.ts"
import { readAddress, type Address } from "./address.ts"

/** An entry of the stream. */
export interface Happened extends Address {
  readonly id: string
  readonly kind: EventKind
  readonly data: unknown
}

/** Undefined for what another hand left there. */
export function happenedOf([id, kind, to, data]: readonly [string, string, string, string]): Happened | undefined {
  try {
    return { id, kind: eventKind.decode(kind), ...readAddress(to), data: JSON.parse(data) as unknown }
  } catch {
    return undefined
  }
}

type IsFor = (event: Happened, user: string) => boolean

const PAGE = 200

export function audiences({ db, homes, source }: MessagingContext, cache: Caches, lists: ContactLists) {
  /** Those of the users who are in a channel, or manage it. */
  const inChannel = async (
    scope: Scope,
    channel: string,
    users: readonly string[],
    isManaging: boolean,
  ): Promise<Set<string>> => {
    const [info, ...found] = await db.$multi((db) => {
      const family = channelIn(db, scope, channel)
      const sets = isManaging ? [family.owners(), family.managers()] : [family.subscribers()]
      return [family.info().get("type"), ...sets.map((set) => set.hasMany(users))]
    })
    if (info !== undefined) return new Set(users.filter((_, i) => found.some((has) => (has as boolean[])[i])))
    const record: ChannelRecord | undefined = await cache.channel.peek(scope, channel)
    if (record === undefined) return new Set()
    const ids = new Set(isManaging ? [...record.owners, ...record.managers] : record.subscribers)
    return new Set(users.filter((user) => ids.has(user)))
  }

  /**
   * Those of the addresses whose channel is still the same one. Asked after who is in it: the other way round, the members
   * of a channel that is made in between would be notified of what happened in the one before.
   */
  const stillThere = async (scope: Scope, addresses: readonly string[]): Promise<Set<string>> => {
    if (addresses.length === 0) return new Set()
    const channels = [...new Set(addresses.map(channelOf))]
    return new Set(await source.ask((sql) => addressesNow(sql, scope, channels)))
  }

  /** For each user, those of the people who are among the contacts. */
  const contactsAmong = async (
    scope: Scope,
    users: readonly string[],
    people: readonly string[],
  ): Promise<Map<string, Set<string>>> => {
    const found = new Map<string, Set<string>>()
    const items = people.map((id) => person(id))
    /** Users of one shard. */
    const ask = async (some: readonly string[]): Promise<void> => {
      const contacts = some.map((user) => ({ home: homeOfUser(scope, user), user, ...at(scope) }))
      const has = await db.$steps.haveContact({ contacts, people: items })
      for (const [i, user] of some.entries()) {
        const row = has.slice(i * people.length, (i + 1) * people.length)
        found.set(user, row[0] === -1 ? await loaded(scope, user) : new Set(people.filter((_, j) => row[j] === 1)))
      }
    }
    for (let from = 0; from < users.length; from += PAGE) {
      const page = users.slice(from, from + PAGE)
      const shards = homes.byShard(page.map((user) => homeOfUser(scope, user)))
      await Promise.all(shards.map(({ places }) => ask(places.map((i) => page[i]!))))
    }
    return found
  }
  const loaded = async (scope: Scope, user: string): Promise<Set<string>> =>
    new Set((await lists.peek(scope, user)).flatMap(({ tag, id }) => (tag === "u_" ? [id as string] : [])))

  return {
    /** Which of these users are notified of which of these events. */
    async of(scope: Scope, events: readonly Happened[], users: readonly string[]): Promise<IsFor> {
      const named = (field: "channel" | "managers" | "about") => [
        ...new Set(events.flatMap((event) => event[field] ?? [])),
      ]
      const each = async (addresses: readonly string[], isManaging: boolean) => {
        const found = addresses.map((address) => inChannel(scope, channelOf(address), users, isManaging))
        const sets = await Promise.all(found)
        return new Map(addresses.map((address, i) => [address, sets[i]!]))
      }
      const [channels, managed, people] = [named("channel"), named("managers"), named("about")]
      const [members, managers, contacts] = await Promise.all([
        each(channels, false),
        each(managed, true),
        people.length === 0 ? undefined : contactsAmong(scope, users, people),
      ])
      const now = await stillThere(scope, [...channels, ...managed])
      const isAmong = (sets: ReadonlyMap<string, Set<string>>, address: string | undefined, user: string) =>
        address !== undefined && now.has(address) && sets.get(address)?.has(user) === true
      return (event, user) =>
        event.users?.includes(user) === true ||
        isAmong(members, event.channel, user) ||
        isAmong(managers, event.managers, user) ||
        (event.about !== undefined && (event.about === user || contacts?.get(user)?.has(event.about) === true))
    },
  }
}

export type Audiences = ReturnType<typeof audiences>
