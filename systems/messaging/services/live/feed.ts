/* What happens in one service, read once for all streams of it that this process has. */

import { isUnavailable } from "keywright"
import type { ClientTurns } from "../../../platform/client-turns.ts"
import { whileUp } from "../../../platform/few-at-once.ts"
import { Problem } from "../../../platform/http/problem.ts"
import { errorFields } from "../../../platform/log.ts"
import { eventBytes, turn, type EventStream } from "../../../platform/http/event-stream.ts"
import type { MessagingContext } from "../../context.ts"
import { at, type Principal, type Scope } from "../scope.ts"
import { happenedOf, type Audiences, type Happened } from "./audience.ts"
import { compareIds, msOf } from "./event-id.ts"

/** An open stream, and whose it is. */
export interface Listener {
  readonly principal: Principal
  readonly stream: EventStream
  /** Up to here it has everything. */
  position: string
  /** It has been informed that it has everything from before. */
  isReady: boolean
}

interface FeedPage {
  readonly events: readonly Happened[]
  /** The id of the last one, also of one that is corrupt. */
  readonly end: string
  readonly isLast: boolean
}

const PAGE = 100
/** What is read at once for a reader that comes back or does not keep up. */
const OWN_PAGE = 20
/** A reader that takes nothing for this long is disconnected. */
const DRAIN_MS = 5000

/** Pages that listeners read for themselves are read `inTurn`. */
export function feed(context: MessagingContext, audience: Audiences, scope: Scope, inTurn: ClientTurns) {
  const { db, homes, log, redis, settings } = context
  const home = homes.homeOfService(scope)
  const listeners = new Set<Listener>()
  let isReading = false
  let isAsked = false

  const kept = async () => {
    const [first, latest, count, now] = await db.$steps.eventsKept({ home, ...at(scope) })
    return { first, latest: latest === "" ? `${now - 1}-0` : latest, count, now }
  }

  /** The next page after an id, and where it ends. */
  const pageAfter = async (after: string, count: number): Promise<FeedPage> => {
    const entries = await db.$steps.eventsAfter({ home, after, count, ...at(scope) })
    const events = entries.flatMap((entry) => {
      const event = happenedOf(entry)
      if (event === undefined) log.error("corrupt element", { key: homes.eventsKey(scope) })
      return event === undefined ? [] : [event]
    })
    return { end: entries.at(-1)?.[0] ?? after, events, isLast: entries.length < count }
  }

  /**
   * Notifies the recipients; from then on they have what is on the page. Those who do not keep up are served
   * separately.
   */
  const deliver = async (to: readonly Listener[], after: string, { events, end }: FeedPage): Promise<void> => {
    const isTold = await toldOf(to, events)
    const bytes: Buffer[] = []
    const send = (listener: Listener, place: number): boolean => {
      const event = events[place]!
      listener.position = event.id
      if (!isTold(event, listener.principal.user)) return true
      return listener.stream.send((bytes[place] ??= eventBytes(shown(event))))
    }
    let rest = to.map((listener) => ({
      listener,
      next: listener.position === after ? 0 : events.filter(({ id }) => compareIds(id, listener.position) <= 0).length,
    }))
    while (rest.length > 0) {
      const full = rest.filter((one) => {
        while (one.next < events.length) if (!send(one.listener, one.next++)) return true
        if (compareIds(one.listener.position, end) < 0) one.listener.position = end
        return false
      })
      if (full.length > 0) await turn()
      rest = full.filter(({ listener }) => listener.stream.hasRoom)
      for (const { listener } of full) if (!listener.stream.hasRoom) setAside(listener)
    }
  }

  const toldOf = async (to: readonly Listener[], events: readonly Happened[]) => {
    if (events.length === 0 || to.length === 0) return () => false
    return audience.of(scope, events, [...new Set(to.map(({ principal }) => principal.user))])
  }

  /** A reader that does not keep up reads what it misses at its own pace, and comes back. */
  const setAside = (listener: Listener): void => {
    listeners.delete(listener)
    void follow(listener)
  }

  /** The position of the listener that is furthest behind. */
  const position = (): string => {
    let least = ""
    for (const one of listeners) {
      if (one.position !== least && (least === "" || compareIds(one.position, least) < 0)) least = one.position
    }
    return least
  }

  /** A listener that joins while a page is read, and has less than that, is served by the next one. */
  const readAll = async (): Promise<void> => {
    for (let isLast = false; !isLast && listeners.size > 0;) {
      const after = position()
      const page = await pageAfter(after, PAGE)
      const served = [...listeners].filter((one) => one.position === after || compareIds(one.position, after) > 0)
      await deliver(served, after, page)
      isLast = page.isLast && compareIds(position() || page.end, page.end) >= 0
    }
  }

  /** Whether everything after an id is still kept; and the latest id. */
  const isKept = async (after: string): Promise<{ isWhole: boolean; latest: string }> => {
    const { first, latest, count, now } = await kept()
    const isThere =
      (first !== "" && compareIds(first, after) <= 0) ||
      (count < settings.eventsKept && now - msOf(after) < settings.eventsTtl * 1000)
    return { isWhole: isThere && compareIds(after, latest) <= 0, latest }
  }

  /** Sends as much of the next page as there is room for, and keeps nothing of the rest; true when that was all. */
  const sendPage = async (listener: Listener): Promise<boolean> => {
    const { principal, stream } = listener
    const page = await pageAfter(listener.position, OWN_PAGE)
    const isTold = await toldOf([listener], page.events)
    for (const event of page.events) {
      listener.position = event.id
      if (!isTold(event, principal.user) || stream.send(shown(event))) continue
      await turn()
      if (!stream.hasRoom) return false
    }
    listener.position = page.end
    return page.isLast
  }

  /** Sends what a reader has missed, at its own pace; false when it is gone. */
  const catchUp = async (listener: Listener): Promise<boolean> => {
    const { stream, principal } = listener
    const after = listener.position
    const nextPage = whileUp(redis, async () => !stream.isOpen || sendPage(listener))
    const { isWhole, latest } = await isKept(after)
    if (!isWhole) {
      listener.position = latest
      stream.send({ id: latest, event: "gap", data: { after } })
    }
    for (let isLast = false; !isLast && stream.isOpen;) {
      isLast = await inTurn(`${scope.project} ${scope.service} ${principal.user}`, nextPage)
      if (!(await stream.drained(DRAIN_MS))) return false
    }
    return stream.isOpen
  }

  /** Serves a listener: what it has missed, then what happens. */
  const follow = async (listener: Listener): Promise<void> => {
    const { stream } = listener
    try {
      if (!(await stream.drained(DRAIN_MS)) || !(await catchUp(listener))) return
      if (!listener.isReady) stream.send({ id: listener.position, event: "ready", data: {} })
      listener.isReady = true
      listeners.add(listener)
      await read()
    } catch (error) {
      tolerate(error)
      stream.end({ event: "end", data: { reason: "unavailable" } })
    }
  }

  const tolerate = (error: unknown): void => {
    if (isUnavailable(error)) redis.suspect(error)
    else if (!(error instanceof Problem)) log.error("events are not read", errorFields(error))
  }

  /** Reads what is new; asked while it reads, it reads again. */
  const read = async (): Promise<void> => {
    if (isReading) {
      isAsked = true
      return
    }
    isReading = true
    try {
      do {
        isAsked = false
        await readAll()
      } while (isAsked)
    } catch (error) {
      tolerate(error)
    } finally {
      isReading = false
    }
  }

  return {
    /** Where a stream begins that is opened now. */
    begin: async (): Promise<string> => (await kept()).latest,
    follow,
    read,
    leave: (listener: Listener): void => void listeners.delete(listener),
  }
}

const shown = ({ id, kind, data }: Happened) => ({ id, event: kind, data })

export type Feed = ReturnType<typeof feed>
