/* Rows of the source, written by an admin, so that the messenger can be used alone. What
 * is cached of them is forgotten first, and loaded when somebody asks (MSG-16). */

import type { MessagingContext } from "../context.ts"
import { lockChannel, peopleOf, putChannel, type ChannelRow } from "../source/channels.ts"
import { putUser, type UserRow } from "../source/users.ts"
import type { Caches } from "./caches.ts"
import { newId } from "./new-id.ts"
import { busy } from "./refusals.ts"
import type { Scope } from "./scope.ts"

const TRIES = 4

export function loading({ source, clock }: MessagingContext, cache: Caches) {
  const nextId = () => newId(clock)
  const forget = (user: string) => ({ user, forget: true })

  return {
    async putUser(scope: Scope, user: string, row: UserRow): Promise<void> {
      await cache.change(scope, { users: [user], lists: [forget(user)] }, (sql) =>
        putUser(sql, scope, user, row, nextId),
      )
    },

    /** Concerns everybody who is or was in it. */
    async putChannel(scope: Scope, id: string, row: ChannelRow): Promise<void> {
      for (let tries = 0; tries < TRIES; tries++) {
        const before = await source.ask((sql) => peopleOf(sql, scope, id))
        const people = [...new Set([...before, ...row.subscribers, ...row.owners, ...row.managers])]
        const isDone = await cache.change(
          scope,
          { channels: [id], users: people, lists: people.map(forget) },
          async (sql) => {
            await lockChannel(sql, scope, id)
            const now = await peopleOf(sql, scope, id)
            if (now.some((user) => !people.includes(user))) return false
            await putChannel(sql, scope, id, row, nextId)
            return true
          },
        )
        if (isDone) return
      }
      throw busy()
    },
  }
}

export type Loading = ReturnType<typeof loading>
