/* Contact lists: whom a user may write to. They never expire, so they have to be right
 * whatever happens: a writer removes the list before it changes the source, and puts the
 * changed list back afterwards; a writer that dies in between leaves no list, and the
 * next reader loads it. See steps/*-contacts.lua. */

import { randomUUID } from "node:crypto"
import { isAway } from "../../platform/redis-away.ts"
import type { MessagingContext } from "../context.ts"
import { contact } from "../ids.ts"
import { isContact, userRecord } from "../source/users.ts"
import { homeOfUser } from "./homes.ts"
import { at, type Scope } from "./scope.ts"

export type Contact = ReturnType<typeof contact.decode>
export const person = (id: string): Contact => ({ tag: "u_", id })
export const channelContact = (id: string): Contact => ({ tag: "c_", id })

/** What a change of the source does to a list. */
export interface ListEdit {
  readonly user: string
  readonly add?: Contact
  readonly remove?: Contact
  /** Nothing is put back: the next reader loads it. */
  readonly forget?: boolean
}

export interface HeldList {
  /** Puts the list back: changed when the source is, or as it was; not at all when the outcome is unknown. */
  settle(outcome: "changed" | "unchanged" | "unknown"): Promise<void>
}

const LOAD_MS = 10_000
const HOLD_MS = 30_000

export function contactLists({ db, homes, source, lenient }: MessagingContext) {
  const listOf = (scope: Scope, user: string) => homes.person(scope, user).contacts({ user, ...at(scope) })

  /** What is cached; undefined when nothing is. */
  const cached = async (scope: Scope, user: string): Promise<Contact[] | undefined> => {
    const items = await listOf(scope, user).range(0, -1, lenient)
    return items.length === 0 ? undefined : items
  }

  const fromSource = async (scope: Scope, user: string): Promise<Contact[]> => {
    const { contacts, channels } = await source.ask((sql) => userRecord(sql, scope, user))
    return [...contacts.map(person), ...channels.map(channelContact)]
  }

  return {
    /** What is cached of fewer than `many`, of whom no more are read; undefined for another list, and for none. */
    async short(scope: Scope, user: string, many: number): Promise<Contact[] | undefined> {
      let isWhole = true
      const items = await listOf(scope, user).range(0, many - 1, { onUndecodable: () => (isWhole = false) })
      return isWhole && items.length > 0 && items.length < many ? items : undefined
    },

    /** The list, stored when it was missing (MSG-18). */
    async load(scope: Scope, user: string): Promise<Contact[]> {
      const known = await cached(scope, user)
      if (known !== undefined) return known
      const [by, key] = [randomUUID(), { home: homeOfUser(scope, user), user, ...at(scope) }]
      const mayStore = await db.$steps.beginContacts({ ...key, by, ms: LOAD_MS })
      const items = await fromSource(scope, user)
      if (mayStore) await db.$steps.storeContacts({ ...key, by, items })
      return items
    },

    /** Whether somebody is in the list, which is neither read nor stored. */
    async hasPerson(scope: Scope, user: string, other: string): Promise<boolean> {
      const contacts = [{ home: homeOfUser(scope, user), user, ...at(scope) }]
      const [known] = await db.$steps.haveContact({ contacts, people: [person(other)] })
      return known === -1 ? source.ask((sql) => isContact(sql, scope, user, other)) : known === 1
    },

    /** The list, and nothing is stored: for those who may be refused. */
    peek: async (scope: Scope, user: string): Promise<Contact[]> =>
      (await cached(scope, user)) ?? fromSource(scope, user),

    /** Takes a list away while the source is changed (MSG-16). */
    async hold(scope: Scope, { user, add, remove, forget = false }: ListEdit): Promise<HeldList> {
      const [by, key] = [randomUUID(), { home: homeOfUser(scope, user), user, ...at(scope) }]
      const before = await db.$steps.holdContacts({ ...key, by, ms: HOLD_MS })
      const changed = (): string[] => {
        const [gone, added] = [remove && contact.encode(remove), add && contact.encode(add)]
        const rest = before.filter((item) => item !== gone)
        return added === undefined || rest.includes(added) ? rest : [...rest, added]
      }
      return {
        async settle(outcome) {
          const isKnown = before.length > 0 && outcome !== "unknown" && !(forget && outcome === "changed")
          const items = !isKnown ? [] : outcome === "changed" ? changed() : before
          try {
            await db.$steps.settleContacts({ ...key, by, items })
          } catch (error) {
            // The list is gone, and nobody stores it until the hold expires.
            if (!isAway(error)) throw error
          }
        },
      }
    },
  }
}

export type ContactLists = ReturnType<typeof contactLists>
