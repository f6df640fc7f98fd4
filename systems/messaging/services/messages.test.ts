import { expect, it } from "vitest"
import type { MessagingContext } from "../context.ts"
import { contactLists } from "./contact-lists.ts"
import { messages } from "./messages.ts"
import type { Principal } from "./scope.ts"

const me = { project: "456", service: "789", user: "u1" } as Principal

/** Somebody who has no such contact: what Redis says of it, and a source that answers when it is told to. */
function stranger(known: 0 | -1) {
  let [asked, lists] = [0, 0]
  let end = () => {}
  const isOver = new Promise<void>((resolve) => (end = resolve))
  const source = {
    ask: async () => {
      asked += 1
      await isOver
      return false
    },
  }
  const range = async () => {
    lists += 1
    return [{ tag: "u_", id: "u2" }]
  }
  const homes = { person: () => ({ contacts: () => ({ range }) }) }
  const db = { $steps: { writeToPerson: async () => 0, haveContact: async () => [known] } }
  const clock = { now: () => new Date(0) }
  const context = { db, homes, source, clock, redis: { isUp: true }, settings: {} } as unknown as MessagingContext
  const services = { lists: contactLists(context), relay: {} }
  const { sendToPerson } = messages(context, services as never)
  return { send: () => sendToPerson(me, "nobody", "hello"), asked: () => asked, lists: () => lists, end }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it.each([
  ["is cached", 0, 50],
  ["is not", -1, 100],
] as const)(
  "to somebody who is not a contact, four of a user are checked at once, and no list is read, where it %s",
  async (_, known, asks) => {
    const { send, asked, lists, end } = stranger(known)
    const sent = Array.from({ length: 50 }, send)
    const outcomes = Promise.allSettled(sent)
    await settled()
    expect(asked()).toBe(4)
    end()
    for (const one of await outcomes) expect(one).toMatchObject({ reason: { status: 403, code: "not_a_contact" } })
    expect([asked(), lists()]).toEqual([asks, 0])
  },
)
