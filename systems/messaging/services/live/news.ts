/* Notifying users of what happened (MSG-31). A change of the source is noted in the same
 * transaction and published once it is committed: a crash between the two, or an
 * unreachable Redis, delays the news until the next pass of the job. Users may be notified
 * twice, but never not at all.
 *
 * The user who made the change does not wait for either: the news is on its way when the change is
 * answered, and what has been published is deleted from the source some at a time. */

import { isUnavailable, job, type Job } from "keywright"
import { errorFields, jobFailed } from "../../../platform/log.ts"
import type { MessagingContext } from "../../context.ts"
import type { EventKind } from "../../ids.ts"
import { forgetNews, noteNews, untoldNews } from "../../source/outbox.ts"
import type { Sql } from "../../source/prepared.ts"
import { newId } from "../new-id.ts"
import { at, type Scope } from "../scope.ts"
import { addressOf, type Address } from "./address.ts"
import type { Relay } from "./relay.ts"

/** Something that happened, and who is notified. */
export interface News extends Address {
  readonly kind: EventKind
  readonly data: object
}

type Note = (sql: Sql, ...news: readonly News[]) => Promise<void>

const PAGE = 500
/** How long news that has been published may stay in the source, so that some can be deleted together. */
const FORGET_MS = 20

export function newsOf({ db, homes, source, clock, settings, redis, log }: MessagingContext, { kept }: Relay) {
  const announce = (scope: Scope, news: readonly News[]): Promise<void> =>
    db.$steps.announce({
      home: homes.homeOfService(scope),
      ...kept,
      events: news.flatMap((one) => [one.kind, addressOf(one), JSON.stringify(one.data)]),
      ...at(scope),
    })

  /** Published, and not deleted yet: the ids of each scope. */
  let told = new Map<string, { readonly scope: Scope; readonly ids: string[] }>()
  const note = (scope: Scope, id: string): void => {
    const name = `${scope.project} ${scope.service}`
    const some = told.get(name)
    if (some) some.ids.push(id)
    else told.set(name, { scope, ids: [id] })
  }
  /** Deletes what has been published. */
  const forget = async (): Promise<void> => {
    const all = [...told.values()]
    told = new Map()
    for (const { scope, ids } of all) await source.ask((sql) => forgetNews(sql, scope, ids))
  }
  const delayed = (error: unknown): void => {
    if (isUnavailable(error)) redis.suspect(error)
    log.warn("news will be delivered later", errorFields(error))
  }
  let underWay = 0
  let whenIdle = (): void => {}
  const inBackground = (work: Promise<void>): void => {
    underWay++
    void work.catch(delayed).then(() => --underWay === 0 && whenIdle())
  }
  let forgetting: NodeJS.Timeout | undefined
  const publish = async (scope: Scope, id: string, news: readonly News[]): Promise<void> => {
    await announce(scope, news)
    note(scope, id)
    forgetting ??= setTimeout(() => {
      forgetting = undefined
      inBackground(forget())
    }, FORGET_MS)
  }

  /** Those of the pass before: newer ones may be about to be published by the process that noted them. */
  let waiting = new Set<string>()
  const tellRest = async (): Promise<{ told: number }> => {
    const found = await source.ask((sql) => untoldNews(sql, PAGE))
    const due = found.filter(({ id }) => waiting.has(id))
    waiting = new Set(found.map(({ id }) => id))
    for (const { id, scope, news } of due) {
      await announce(scope, [JSON.parse(news) as News | News[]].flat())
      note(scope, id)
    }
    await forget()
    return { told: due.length }
  }

  return {
    /** Does the work; what it notes is on its way to be published when this returns. */
    async telling<T>(scope: Scope, work: (note: Note) => Promise<T>): Promise<T> {
      const noted: { readonly id: string; readonly news: readonly News[] }[] = []
      const result = await work(async (sql, ...news) => {
        const id = newId(clock)
        await noteNews(sql, scope, id, JSON.stringify(news))
        noted.push({ id, news })
      })
      for (const { id, news } of noted) inBackground(publish(scope, id, news))
      return result
    },

    /** Waits until nothing is on its way any more. */
    async stop(): Promise<void> {
      if (underWay > 0) await new Promise<void>((resolve) => (whenIdle = resolve))
      clearTimeout(forgetting)
      await forget().catch(delayed)
    },

    /** Publishes what the processes that noted it did not. */
    teller: (): Job<{ told: number }, { told: number } | undefined> =>
      job({
        name: "messaging.news",
        every: `${settings.sweepEvery}s`,
        lease: { on: db },
        onError: jobFailed(log, "news will be delivered later"),
        run: tellRest,
      }),
  }
}

export type NewsService = ReturnType<typeof newsOf>
