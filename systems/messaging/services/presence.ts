/* Who is online: a status that expires, and OnSub, which is kept in step with it. Each
 * write is one step; reads never write (MSG-8 to MSG-13). */

import { isoInstant, WrongType } from "keywright"
import { fewWhileUp } from "../../platform/few-at-once.ts"
import { inBatches } from "../../platform/in-batches.ts"
import { defined } from "../../platform/defined.ts"
import type { MessagingContext } from "../context.ts"
import type { Contact, ContactLists } from "./contact-lists.ts"
import { homeOfUser } from "./homes.ts"
import type { Relay } from "./live/relay.ts"
import { at, type Scope } from "./scope.ts"

export interface Stated {
  readonly behavioral_status: "online" | "idle" | "offline"
  readonly status_intentional?: string | undefined
  readonly status_message?: string | undefined
}
interface Stored extends Stated {
  readonly last_activity_time?: Date | undefined
}
/** Undefined fields are left out of an answer. */
export interface StatusOf extends Stated {
  readonly user: string
  readonly last_activity_time?: string | undefined
}

const PAGE = 200
/** Longer lists of contacts are read in turn, since thousands take 15 ms. */
const MANY = 100
/** So are the statuses of more contacts than this, which may have a thousand characters each. */
const FEW_CONTACTS = 10
/** Such requests of one user at once. */
const AT_ONCE = 4

export function presence(context: MessagingContext, lists: ContactLists, relay: Relay) {
  const { db, homes, redis, clock, log, lenient, settings } = context
  const { kept } = relay
  const statusMs = settings.statusTtl * 1000
  const shown = (user: string, stored: Stored | undefined): StatusOf => {
    if (stored === undefined) return { user, behavioral_status: "offline" }
    const { behavioral_status, status_intentional, status_message } = stored
    const active = stored.last_activity_time
    const last_activity_time = active && isoInstant.encode(active)
    return { user, behavioral_status, status_intentional, status_message, last_activity_time }
  }

  /** A status, published to those concerned; no fields mean offline. */
  const state = async (scope: Scope, user: string, fields: readonly string[]) => {
    const stored = await db.$steps.stateStatus({
      home: homeOfUser(scope, user),
      user,
      member: user,
      ms: statusMs,
      ...kept,
      at: isoInstant.encode(clock.now()),
      fields,
      ...at(scope),
    })
    await relay.of(scope, user)
    return stored
  }

  /** The statuses of users, the first of whom must be readable, in one pipeline (MSG-10). */
  const statusesOf = async (scope: Scope, users: readonly string[]): Promise<StatusOf[]> => {
    const { project, service } = scope
    const corrupt = new Set<number>()
    const found = await db.$getMany(
      users.map((user) => homes.person(scope, user).status({ project, service, user })),
      {
        onUndecodable: (error, place) => {
          if (place === 0) throw error
          lenient.onUndecodable(error)
          corrupt.add(place)
        },
      },
    )
    return found.flatMap((stored, i) => (corrupt.has(i) ? [] : [shown(users[i]!, stored)]))
  }
  const inTurn = fewWhileUp(redis, AT_ONCE)

  /** Those of a page who have a status; the others leave OnSub (MSG-11). */
  const live = async (home: string, { project, service }: Scope, users: readonly string[]): Promise<string[]> => {
    const found = await db.$steps.sweepOnline({
      home,
      project,
      service,
      ...kept,
      status: users.map((user) => ({ user })),
      users,
    })
    if (found.length < users.length) await relay.fromShard({ project, service }, home)
    return found
  }

  /** A shard's OnSub; what is not an id is skipped and reported (ALL-11), and so is a user of another shard. */
  async function* usersOnline(home: string, scope: Scope): AsyncGenerator<string> {
    for await (const user of db.people({ home }).online(at(scope)).scan(lenient))
      if (homes.shardOf(homeOfUser(scope, user)) === homes.shardOf(home)) yield user
      else log.error("corrupt element", { pattern: db.people.online.pattern, code: "other_shard" })
  }
  const pages = (home: string, scope: Scope) => inBatches(usersOnline(home, scope), PAGE)

  /**
   * Services that only the tokens know of, of data that was restored or written by an older version: once for each
   * process. Users who are online there have logged in with a token.
   */
  const adopt = async (home: string): Promise<void> => {
    const known = new Map<string, Scope>()
    for await (const [, { params }] of db.people({ home }).tokenKeys().entries(lenient))
      known.set(`${params.project}:${params.service}`, at(params))
    for (const scope of known.values()) await live(home, scope, [])
  }
  let isAdopted = false

  /**
   * One shard: how many were removed. What was noted there and not published yet is published before a service that nobody is in
   * is forgotten.
   */
  const sweepShard = async (home: string, signal: AbortSignal): Promise<number> => {
    let removed = 0
    for await (const { params } of db.people({ home }).onlineServices().scan(lenient)) {
      const scope = at(params)
      try {
        for await (const page of pages(home, scope)) {
          removed += page.length - (await live(home, scope, page)).length
          if (signal.aborted) return removed
        }
        await relay.fromShard(scope, home)
        await live(home, scope, [])
      } catch (error) {
        if (!(error instanceof WrongType)) throw error
        lenient.onUndecodable(error)
      }
    }
    return removed
  }

  return {
    /** A status as its user states it (MSG-8, MSG-9). */
    async write(scope: Scope, user: string, given: Stated): Promise<StatusOf> {
      const isOffline = given.behavioral_status === "offline"
      const stored = await state(scope, user, isOffline ? [] : Object.entries(defined(given)).flat())
      if (isOffline) return { user, behavioral_status: "offline" }
      const { status_intentional, status_message, last_activity_time } = Object.fromEntries(stored)
      const { behavioral_status } = given
      return { user, behavioral_status, status_intentional, status_message, last_activity_time }
    },

    /** The user did something: their status continues, or begins (MSG-8, MSG-C14). */
    async refresh(scope: Scope, user: string): Promise<void> {
      const home = homeOfUser(scope, user)
      const now = isoInstant.encode(clock.now())
      const given = { home, user, member: user, at: now, ms: statusMs, ...at(scope), ...kept }
      if (await db.$steps.present(given)) await relay.of(scope, user)
    },

    /** The status of a user, then those of their contacts: in turn when there are more than a few, or none are cached. */
    async statuses(scope: Scope, user: string): Promise<StatusOf[]> {
      const read = (list: readonly Contact[]) =>
        statusesOf(scope, [user, ...list.flatMap(({ tag, id }) => (tag === "u_" ? [id as string] : []))])
      const short = await lists.short(scope, user, MANY)
      if (short !== undefined && short.length <= FEW_CONTACTS) return read(short)
      return inTurn(`${scope.project} ${scope.service} ${user}`, async () =>
        read(short ?? (await lists.load(scope, user))),
      )
    },

    /** Who is online; ids that have no status any more are removed (MSG-11). */
    async online(scope: Scope): Promise<string[]> {
      const found = await homes.inEach(async (home) => {
        const here: string[] = []
        for await (const page of pages(home, scope)) here.push(...(await live(home, scope, page)))
        return here
      })
      return found.flat().sort()
    },

    /**
     * The same for all services where somebody may be online: how many were removed. What is not a set is reported,
     * and the others are swept.
     */
    async sweep(signal: AbortSignal): Promise<number> {
      if (!isAdopted) await homes.inEach(adopt)
      isAdopted = true
      const removed = await homes.inEach((home) => (signal.aborted ? Promise.resolve(0) : sweepShard(home, signal)))
      return removed.reduce((sum, count) => sum + count, 0)
    },
  }
}

export type Presence = ReturnType<typeof presence>
