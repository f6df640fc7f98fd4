/* Channels and subscribers as they are cached, and the one way to change what they are
 * made from: everything cached that a change concerns is gone before the source is
 * written, nothing is stored meanwhile, and what was cached is loaded again after
 * (MSG-14 to MSG-17). Reads that may be refused store nothing. */

import { Undecodable } from "keywright"
import { Problem } from "../../platform/http/problem.ts"
import { unlessAway } from "../../platform/redis-away.ts"
import type { MessagingContext } from "../context.ts"
import { channelRecord, type ChannelRecord } from "../source/channels.ts"
import type { Sql } from "../source/prepared.ts"
import { userRecord, type UserRecord } from "../source/users.ts"
import type { ContactLists, HeldList, ListEdit } from "./contact-lists.ts"
import { at, type Scope } from "./scope.ts"

/** What a change concerns: all of it is gone before the source is written, and what was cached is loaded again after. */
export interface Concerned {
  readonly channels?: readonly string[]
  readonly users?: readonly string[]
  readonly lists?: readonly ListEdit[]
  /** Loaded after the change whether it was cached or not. */
  readonly fill?: {
    readonly channels?: readonly string[]
    readonly users?: readonly string[]
    readonly lists?: readonly string[]
  }
}

export function caches({ homes, source, lenient, redis }: MessagingContext, lists: ContactLists) {
  const channelOf = homes.channel
  const subscriberOf = (scope: Scope, user: string) => homes.person(scope, user).subscriber({ user, ...at(scope) })
  const loadChannel = (scope: Scope, channel: string) => () => source.ask((sql) => channelRecord(sql, scope, channel))
  const loadUser = (scope: Scope, user: string) => () => source.ask((sql) => userRecord(sql, scope, user))

  /** A corrupt id in a cached set is reported, and the source answers; a corrupt record is an error (ALL-11). */
  const orSource = async <T>(read: () => Promise<T>, load: () => Promise<T>, marker?: string): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Undecodable) || error.key === marker) throw error
      lenient.onUndecodable(error)
      return load()
    }
  }

  const channel = {
    /** Cached or not, and nothing is stored. */
    async peek(scope: Scope, id: string): Promise<ChannelRecord | undefined> {
      const [family, load] = [channelOf(scope, id), loadChannel(scope, id)]
      return orSource(async () => (await family.$read()) ?? (await load()), load, family.info().key)
    },
    /** Stored when it was missing (MSG-14). */
    load(scope: Scope, id: string): Promise<ChannelRecord | undefined> {
      const [family, load] = [channelOf(scope, id), loadChannel(scope, id)]
      return orSource(() => family.$load(load), load, family.info().key)
    },
    /** Somebody asked for messages: the whole family lives on (MSG-15). */
    touch: (scope: Scope, id: string) => channelOf(scope, id).$touch(),
  }

  const subscriber = {
    /** An absent set is read from the source (MSG-17); what was there in part is replaced. */
    async load(scope: Scope, user: string): Promise<UserRecord> {
      const [family, load] = [subscriberOf(scope, user), loadUser(scope, user)]
      const found = await orSource(() => family.$load(load), load)
      if (found !== undefined && Object.values(found).every((ids) => ids.length > 0)) return found
      const truth = await load()
      const isWhole =
        found !== undefined && FIELDS.every((field) => found[field].length > 0 || truth[field].length === 0)
      if (found !== undefined && !isWhole) {
        await family.$drop()
        await family.$load(load)
      }
      return truth
    },
  }

  /** Loads again what a change has dropped; without Redis, the next reader does. */
  const refill = (loads: readonly (() => Promise<unknown>)[]) =>
    unlessAway(redis, () => Promise.all(loads.map((load) => load())))

  /** Changes the source in one transaction, while nothing that it concerns is cached. */
  const change = async <T>(
    scope: Scope,
    { channels = [], users = [], lists: edits = [], fill = {} }: Concerned,
    work: (sql: Sql) => Promise<T>,
  ): Promise<T> => {
    const families = [
      ...unique(channels).map((id) => ({
        family: channelOf(scope, id),
        always: fill.channels?.includes(id) ?? false,
        load: () => channel.load(scope, id),
      })),
      ...unique(users).map((user) => ({
        family: subscriberOf(scope, user),
        always: fill.users?.includes(user) ?? false,
        load: () => subscriberOf(scope, user).$load(loadUser(scope, user)),
      })),
    ]
    const again = await Promise.all(families.map(({ family, always }) => always || isCached(family)))
    const result = await whileHeld(
      families.map(({ family }) => family),
      async () => {
        const held = await holdAll(scope, edits)
        let outcome: Parameters<HeldList["settle"]>[0] = "unknown"
        try {
          const done = await source.transaction(work)
          outcome = "changed"
          return done
        } catch (error) {
          if (error instanceof Problem) outcome = "unchanged"
          throw error
        } finally {
          await Promise.all(held.map((list) => list.settle(outcome)))
        }
      },
    )
    await refill([
      ...families.filter((_, i) => again[i]).map(({ load }) => load),
      ...(fill.lists ?? []).map((user) => () => lists.load(scope, user)),
    ])
    return result
  }

  const holdAll = async (scope: Scope, edits: readonly ListEdit[]): Promise<HeldList[]> => {
    const holds = await Promise.allSettled(edits.map((edit) => lists.hold(scope, edit)))
    const held = holds.flatMap((hold) => (hold.status === "fulfilled" ? [hold.value] : []))
    const failed = holds.find((hold) => hold.status === "rejected")
    if (failed === undefined) return held
    await Promise.all(held.map((list) => list.settle("unchanged")))
    throw failed.reason
  }

  return { channel, subscriber, change }
}

const FIELDS = [
  "contacts",
  "channels",
  "bannedChannels",
  "bannedSubscribers",
  "invites",
  "joinRequests",
] as const satisfies readonly (keyof UserRecord)[]

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

interface Holdable {
  $read(): Promise<unknown>
  $change<T>(change: () => Promise<T>): Promise<T>
}

const isCached = async (family: Holdable): Promise<boolean> => {
  try {
    return (await family.$read()) !== undefined
  } catch (error) {
    if (error instanceof Undecodable) return true
    throw error
  }
}

/** Holds all families at once, does the work, and lets go of all of them. */
async function whileHeld<T>(families: readonly Holdable[], work: () => Promise<T>): Promise<T> {
  let letGo!: () => void
  const isOver = new Promise<void>((resolve) => (letGo = resolve))
  const holds: Promise<void>[] = []
  const begun = families.map(
    (family) =>
      new Promise<void>((resolve, reject) => {
        const hold = family.$change(() => {
          resolve()
          return isOver
        })
        hold.catch(reject)
        holds.push(hold)
      }),
  )
  try {
    await Promise.all(begun)
    return await work()
  } finally {
    letGo()
    await Promise.allSettled(holds)
  }
}

export type Caches = ReturnType<typeof caches>
