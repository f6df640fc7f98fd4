/* Who is online: a status that expires, and OnSub, which is kept in step with it. Each
 * write is one step; reads never write (MSG-8 to MSG-13). */

import { isUnavailable } from "keywright"
import { errorFields } from "../../platform/log.ts"
import type { MessagingContext } from "../context.ts"
import type { ContactLists } from "./contact-lists.ts"
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
export interface StatusOf extends Stated {
  readonly user: string
  readonly last_activity_time?: string
}

const PAGE = 200

export function presence({ db, clock, log }: MessagingContext, lists: ContactLists) {
  const shown = (user: string, stored: Stored | undefined): StatusOf => {
    if (stored === undefined) return { user, behavioral_status: "offline" }
    const { last_activity_time: last, ...rest } = stored
    return { user, ...rest, ...(last !== undefined && { last_activity_time: last.toISOString() }) }
  }

  const onUndecodable = (error: unknown) => log.error("corrupt element", errorFields(error))

  const offline = async (scope: Scope, user: string): Promise<void> => {
    await db.$multi((db) => [db.service(at(scope)).status({ user }).delete(), db.service(at(scope)).online().remove(user)])
  }

  /** Those of a page who have a status; the others leave OnSub (MSG-11). */
  const live = ({ project, service }: Scope, users: readonly string[]): Promise<string[]> =>
    db.$steps.sweepOnline({ project, service, status: users.map((user) => ({ user })), users })

  /** Pages of OnSub; an id that is none is skipped and reported (ALL-11). */
  async function* pages(scope: Scope): AsyncGenerator<string[]> {
    let page: string[] = []
    for await (const user of db.service(at(scope)).online().scan({ onUndecodable })) {
      page.push(user)
      if (page.length >= PAGE) yield page.splice(0)
    }
    if (page.length > 0) yield page
  }

  return {
    offline,

    /** A status as its user states it (MSG-8, MSG-9). */
    async write(scope: Scope, user: string, given: Stated): Promise<StatusOf> {
      if (given.behavioral_status === "offline") {
        await offline(scope, user)
        return { user, behavioral_status: "offline" }
      }
      const [, , stored] = await db.$multi((db) => {
        const status = db.service(at(scope)).status({ user })
        return [
          status.set({ ...defined(given), last_activity_time: clock.now() }),
          db.service(at(scope)).online().add(user),
          status.get(),
        ]
      })
      return shown(user, stored)
    },

    /** The user did something: his status lives on, or begins (MSG-8, MSG-C14). */
    async refresh(scope: Scope, user: string): Promise<void> {
      await db.$multi((db) => {
        const status = db.service(at(scope)).status({ user })
        return [
          status.setIfAbsent("behavioral_status", "online"),
          status.set({ last_activity_time: clock.now() }),
          db.service(at(scope)).online().add(user),
        ]
      })
    },

    /** His own status, then those of his contacts, in one pipeline (MSG-10). */
    async statuses(scope: Scope, user: string): Promise<StatusOf[]> {
      const contacts = await lists.load(scope, user)
      const people = contacts.flatMap(({ tag, id }) => (tag === "u_" ? [id as string] : []))
      const found = await db.$batch((db) => {
        const service = db.service(at(scope))
        const own = service.status({ user }).get()
        const others = people.map((one) =>
          service
            .status({ user: one })
            .get()
            .catch((error: unknown) => {
              if (isUnavailable(error)) throw error
              onUndecodable(error)
              return "corrupt" as const
            }),
        )
        return [own, ...others]
      })
      return found.flatMap((stored, i) =>
        stored === "corrupt" ? [] : [shown(i === 0 ? user : people[i - 1]!, stored)],
      )
    },

    /** Who is online; ids that have no status any more are removed (MSG-11). */
    async online(scope: Scope): Promise<string[]> {
      const found: string[] = []
      for await (const page of pages(scope)) found.push(...(await live(scope, page)))
      return found.sort()
    },

    /** The same for all services: how many were removed. */
    async sweep(signal: AbortSignal): Promise<number> {
      let removed = 0
      for await (const { params } of db.service.online.scan()) {
        for await (const page of pages(params)) {
          removed += page.length - (await live(params, page)).length
          if (signal.aborted) return removed
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
