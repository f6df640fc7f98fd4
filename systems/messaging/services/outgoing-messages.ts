/* Messages between people that are sent at the same moment are stored together: one
 * transaction, one note of what is to be published, one step that publishes it. So a
 * message costs little more than its row, however many are sent. Each sender is answered
 * when the transaction is committed.
 *
 * A moment lasts until the replies of Redis that have arrived meanwhile are read: they come in
 * parts, and a transaction for each part would take a twentieth of a message's time. */

import type { MessagingContext } from "../context.ts"
import { insertMessages, peopleThread, type Message } from "../source/messages.ts"
import type { Sql } from "../source/prepared.ts"
import { isBanBetween, mayWrite, type Pair } from "../source/users.ts"
import type { News, NewsService } from "./live/news.ts"
import { banned } from "./refusals.ts"
import type { Scope } from "./scope.ts"

export interface ToPerson {
  readonly scope: Scope
  readonly receiver: string
  readonly message: Message
}

interface Waiting extends ToPerson {
  readonly stored: () => void
  readonly failed: (error: unknown) => void
}

/** No id has a slash. */
const named = (pair: Pair): [name: string, pair: Pair] => [`${pair.from}/${pair.to}`, pair]

/** Statements are made for each number of rows: these are few. */
const MOST = 32

export function outgoingMessages({ source }: Pick<MessagingContext, "source">, news: Pick<NewsService, "telling">) {
  let waiting: Waiting[] = []

  const newsOf = ({ receiver, message }: ToPerson): News => ({
    kind: "message",
    users: [message.from, receiver],
    data: { ...message, receiver },
  })

  /**
   * Refuses what is between people of whom one has banned the other since the request was checked. Whether they are
   * contacts is what the list in Redis says, as MSG-29 has it. The messages are written before this: so SQLite has the
   * lock of a writer when it reads.
   */
  const check = async (sql: Sql, scope: Scope, some: readonly ToPerson[]): Promise<void> => {
    const pairs = new Map<string, Pair>()
    for (const { message, receiver } of some) pairs.set(...named({ from: message.from, to: receiver }))
    const allowed = await mayWrite(sql, scope, [...pairs.values()])
    if (allowed.length === pairs.size) return
    const others = new Map(allowed.map(named))
    for (const [name, { from, to }] of pairs)
      if (!others.has(name) && (await isBanBetween(sql, scope, from, to))) throw banned()
  }

  /** All of one service. */
  const store = (scope: Scope, some: readonly ToPerson[]): Promise<void> =>
    news.telling(scope, (note) =>
      source.transaction(async (sql) => {
        const rows = some.map(({ message, receiver }) => ({
          scope,
          thread: peopleThread(message.from, receiver),
          message,
        }))
        await insertMessages(sql, rows)
        await check(sql, scope, some)
        await note(sql, ...some.map(newsOf))
      }),
    )

  const storeAll = async (scope: Scope, some: readonly Waiting[]): Promise<void> => {
    try {
      await store(scope, some)
      for (const { stored } of some) stored()
    } catch (error) {
      // One that the source refuses does not keep the others from being stored.
      if (some.length > 1) for (const one of some) void storeAll(scope, [one])
      else some[0]!.failed(error)
    }
  }

  const flush = (): void => {
    const all = waiting
    waiting = []
    const byService = new Map<string, Waiting[]>()
    for (const one of all) {
      const name = `${one.scope.project} ${one.scope.service}`
      const some = byService.get(name)
      if (some === undefined) byService.set(name, [one])
      else some.push(one)
    }
    for (const some of byService.values())
      for (let i = 0; i < some.length; i += MOST) void storeAll(some[0]!.scope, some.slice(i, i + MOST))
  }

  return {
    /** Returns when it is stored. */
    send: (message: ToPerson): Promise<void> =>
      new Promise((stored, failed) => {
        if (waiting.length === 0) setImmediate(setImmediate, flush)
        waiting.push({ ...message, stored, failed })
      }),
  }
}
