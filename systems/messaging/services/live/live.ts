/* Streams of events (MSG-31). Each service's events are a stream in Redis, which readers who
 * come back read from where they were. One subscription in each process says where there is
 * something new; it is only a hint: polling now and then works without it. A stream is open
 * as long as its token is good. */

import { isUnavailable } from "keywright"
import { clientTurns } from "../../../platform/client-turns.ts"
import { EventStream } from "../../../platform/http/event-stream.ts"
import { Problem, unavailable } from "../../../platform/http/problem.ts"
import type { Exchange } from "../../../platform/http/exchange.ts"
import { errorFields } from "../../../platform/log.ts"
import type { MessagingContext } from "../../context.ts"
import { homeOfToken } from "../homes.ts"
import { at, type Principal, type Scope } from "../scope.ts"
import type { Audiences } from "./audience.ts"
import { feed, type Feed, type Listener } from "./feed.ts"

/** Between two looks at tokens: a stream ends well within a second of its token. */
const TOKENS_MS = 400
/** Between two looks at the events, should a hint get lost. */
const LOOK_MS = 1000
const BEAT_MS = 15_000
const RETRY_MS = 1000
const PAGE = 200
/** Pages of missed events that are read at once, of all readers. */
const FEW = 4

const tooMany = (count: number) =>
  new Problem(429, "too_many_streams", `you have ${count} streams open, which is the limit`, {
    headers: { "Retry-After": "1" },
  })

type Scoped = Pick<Principal, "project" | "service" | "user">

export function liveStreams(context: MessagingContext, audience: Audiences) {
  const { db, homes, settings, metrics, redis, log, team } = context
  const feeds = new Map<string, Feed & { streams: number }>()
  const open = new Set<Listener>()
  const timers: NodeJS.Timeout[] = []
  let subscription: Promise<{ close(): Promise<void> }> | undefined
  let isClosing = false
  // Streams that were closed while they waited are still in the queue.
  const inTurn = clientTurns({ parallel: FEW, most: 2 * settings.streams, what: "readers of missed events" })

  const cut = metrics.counter("messaging_streams_cut_total", "Streams whose reader did not keep up.")
  metrics.gauge("messaging_streams", "Open streams of events.", async () => open.size + (await elsewhere()))

  const ownOf = ({ project, service, user }: Scoped): number => {
    let own = 0
    for (const { principal } of open) {
      if (principal.user === user && principal.service === service && principal.project === project) own++
    }
    return own
  }
  team.answer("streams", (of) => (of ? ownOf(of as Scoped) : open.size))
  /** Streams that other workers have open; of one user, or all. */
  const elsewhere = async (of?: Scoped): Promise<number> =>
    ((await team.ask("streams", of)) as number[]).reduce((sum, count) => sum + count, 0)

  const tolerate = (error: unknown): void => {
    if (isUnavailable(error)) redis.suspect(error)
    else log.error("streams of events", errorFields(error))
  }

  const readAll = () => Promise.all([...feeds.values()].map((one) => one.read()))

  /** The channel of a service's hints is named like the key of its events, wherever that is. */
  const subscribe = async () => {
    try {
      return await db.$driver().subscribe({
        patterns: [db.services.events.pattern.replaceAll(/\{\w+\}/g, "*")],
        onMessage: ({ channel }) => void feeds.get(channel)?.read(),
        onGap: () => void readAll(),
        onRefused: tolerate,
      })
    } catch (error) {
      subscription = undefined
      tolerate(error)
      return { close: () => Promise.resolve() }
    }
  }

  /** Which of these tokens are still good: each shard says it of its own. */
  const livingOf = async (tokens: readonly (Scope & { readonly token: string })[]): Promise<boolean[]> => {
    const live: boolean[] = tokens.map(() => false)
    await Promise.all(
      homes.byShard(tokens.map(({ token }) => homeOfToken(token))).map(async ({ home, places }) => {
        const accessToken = places.map((i) => tokens[i]!)
        const given = { home, accessToken, tokens: accessToken.map(({ token }) => token) }
        const found = await db.$steps.liveTokens(given)
        for (const [j, i] of places.entries()) live[i] = found[j]!
      }),
    )
    return live
  }

  /** Streams whose token is gone end. */
  const checkTokens = async (): Promise<void> => {
    const all = [...open]
    for (let from = 0; from < all.length; from += PAGE) {
      const page = all.slice(from, from + PAGE)
      const accessToken = page.map(({ principal: { project, service, token } }) => ({ project, service, token }))
      const live = await livingOf(accessToken)
      for (const [i, { stream }] of page.entries()) {
        if (!live[i]) stream.end({ event: "end", data: { reason: "token" } })
      }
    }
  }

  /** Runs while streams are open; a look that takes long is not overtaken by the next. */
  const every = (ms: number, work: () => unknown): void => {
    let isBusy = false
    const timer = setInterval(async () => {
      if (isBusy || open.size === 0) return
      isBusy = true
      try {
        await work()
      } catch (error) {
        tolerate(error)
      } finally {
        isBusy = false
      }
    }, ms)
    timers.push(timer.unref())
  }
  every(TOKENS_MS, checkTokens)
  every(LOOK_MS, () => {
    subscription ??= subscribe()
    return readAll()
  })
  every(BEAT_MS, () => {
    for (const { stream } of open) stream.beat()
  })

  const admit = (principal: Principal, others: number): void => {
    if (isClosing) throw unavailable("closing", "the server is about to close")
    if (open.size >= settings.streams) throw unavailable("too_many_streams", "no more streams can be opened here")
    const count = ownOf(principal) + others
    if (count >= settings.streamsPerUser) throw tooMany(count)
  }

  const joined = (listener: Listener): Feed => {
    const key = homes.eventsKey(listener.principal)
    const found = feeds.get(key) ?? { ...feed(context, audience, at(listener.principal), inTurn), streams: 0 }
    feeds.set(key, found)
    found.streams++
    open.add(listener)
    listener.stream.onClose = () => {
      if (!open.delete(listener)) return
      found.leave(listener)
      if (--found.streams === 0) feeds.delete(key)
      if (listener.stream.isCut) cut.add({})
    }
    if (!listener.stream.isOpen) listener.stream.onClose()
    return found
  }

  return {
    /** Opens a stream; `after` is the last event that its reader has. */
    async open(principal: Principal, http: Exchange, after: string | undefined): Promise<Response> {
      const { project, service, user } = principal
      const others = await elsewhere({ project, service, user })
      admit(principal, others)
      await (subscription ??= subscribe())
      const position = after ?? (await feed(context, audience, at(principal), inTurn).begin())
      admit(principal, others)
      const stream = new EventStream(http, RETRY_MS)
      const listener: Listener = { principal, stream, position, isReady: false }
      void joined(listener).follow(listener)
      return stream.response
    },

    /** All streams end, and none is opened any more. */
    close(): void {
      isClosing = true
      for (const { stream } of open) stream.end({ event: "end", data: { reason: "shutdown" } })
    },

    async stop(): Promise<void> {
      for (const timer of timers) clearInterval(timer)
      await (await subscription)?.close()
    },
  }
}

export type LiveStreams = ReturnType<typeof liveStreams>
