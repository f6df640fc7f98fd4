/* Who is online: a status that expires, and OnSub, which is kept in step with it. Each
 * write is one step; reads never write (MSG-8 to MSG-13). */

import { WrongType } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { MessagingContext } from "../context.ts"
import type { ContactLists } from "./contact-lists.ts"
import type { NewsService } from "./live/news.ts"
import { at, type Scope } from "./scope.ts"

/** What a user states. */
export interface Stated {
  readonly behavioral_status: "online" | "idle" | "offline"
  readonly status_intentional?: string | undefined
  readonly status_message?: string | undefined
}
interface Stored extends Stated {
  readonly last_activity_time?: Date | undefined
}
/** What is undefined is not in an answer. */
export interface StatusOf extends Stated {
  readonly user: string
  readonly last_activity_time?: string | undefined
}

const PAGE = 200

export function presence(
  { homes, clock, log, settings }: MessagingContext,
  lists: ContactLists,
  { kept }: Pick<NewsService, "kept">,
) {
  const statusMs = settings.statusTtl * 1000
  const shown = (user: string, stored: Stored | undefined): StatusOf => {
    if (stored === undefined) return { user, behavioral_status: "offline" }
    const { behavioral_status, status_intentional, status_message } = stored
    const last_activity_time = stored.last_activity_time?.toISOString()
    return { user, behavioral_status, status_intentional, status_message, last_activity_time }
  }

  const onUndecodable = (error: unknown) => log.error("corrupt element", errorFields(error))

  /** A status, published to those concerned; no fields mean offline. */
  const state = (scope: Scope, user: string, fields: readonly string[]) =>
    homes.of(scope).$steps.stateStatus({
      ...at(scope),
      user,
      member: user,
      ms: statusMs,
      ...kept,
      at: clock.now().toISOString(),
      fields,
    })

  /** Those of a page who have a status; the others leave OnSub (MSG-11). */
  const live = ({ project, service }: Scope, users: readonly string[]): Promise<string[]> =>
    homes
      .of({ project, service })
      .$steps.sweepOnline({ project, service, ...kept, status: users.map((user) => ({ user })), users })

  /** Pages of OnSub; what is not an id is skipped and reported (ALL-11). */
  async function* pages(scope: Scope): AsyncGenerator<string[]> {
    let page: string[] = []
    for await (const user of homes.of(scope).service(at(scope)).online().scan({ onUndecodable })) {
      page.push(user)
      if (page.length >= PAGE) yield page.splice(0)
    }
    if (page.length > 0) yield page
  }

  /**
   * Services that only the tokens know of, of data that was restored or written by an older version: once for each
   * process. Users who are online there have logged in with a token.
   */
  const adopt = async (): Promise<void> => {
    const known = new Map<string, Scope>()
    for (const home of homes.all)
      for await (const [, { params }] of home.tokenKeys().entries({ onUndecodable }))
        known.set(`${params.project}:${params.service}`, at(params))
    for (const scope of known.values()) await live(scope, [])
  }
  let isAdopted = false

  /** Where somebody may be online, in every home. */
  async function* services(): AsyncGenerator<Scope> {
    for (const home of homes.all)
      for await (const { params } of home.onlineServices().scan({ onUndecodable })) yield at(params)
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

    /** The user did something: his status lives on, or begins (MSG-8, MSG-C14). */
    refresh: (scope: Scope, user: string): Promise<void> =>
      homes
        .of(scope)
        .$steps.present({ ...at(scope), user, member: user, at: clock.now().toISOString(), ms: statusMs, ...kept }),

    /** His own status, then those of his contacts, in one pipeline (MSG-10). */
    async statuses(scope: Scope, user: string): Promise<StatusOf[]> {
      const { project, service } = scope
      const people = (await lists.load(scope, user)).flatMap(({ tag, id }) => (tag === "u_" ? [id as string] : []))
      const users = [user, ...people]
      const corrupt = new Set<number>()
      const found = await homes.of(scope).$getMany(
        users.map((one) => homes.of(scope).service.status({ project, service, user: one })),
        {
          onUndecodable: (error, place) => {
            if (place === 0) throw error
            onUndecodable(error)
            corrupt.add(place)
          },
        },
      )
      return found.flatMap((stored, i) => (corrupt.has(i) ? [] : [shown(users[i]!, stored)]))
    },

    /** Who is online; ids that have no status any more are removed (MSG-11). */
    async online(scope: Scope): Promise<string[]> {
      const found: string[] = []
      for await (const page of pages(scope)) found.push(...(await live(scope, page)))
      return found.sort()
    },

    /**
     * The same for all services where somebody may be online: how many were removed. What is not a set is reported,
     * and the others are swept.
     */
    async sweep(signal: AbortSignal): Promise<number> {
      let removed = 0
      if (!isAdopted) await adopt()
      isAdopted = true
      for await (const params of services()) {
        try {
          await live(params, []) // A service that nobody is in is not looked at again.
          for await (const page of pages(params)) {
            removed += page.length - (await live(params, page)).length
            if (signal.aborted) return removed
          }
        } catch (error) {
          if (!(error instanceof WrongType)) throw error
          onUndecodable(error)
        }
      }
      return removed
    },
  }
}

/** What was left out is not there: a key that is undefined would be another thing. */
const defined = ({ behavioral_status, status_intentional, status_message }: Stated) => ({
  behavioral_status,
  ...(status_intentional !== undefined && { status_intentional }),
  ...(status_message !== undefined && { status_message }),
})

export type Presence = ReturnType<typeof presence>
