/* Idempotent webhooks: a payment provider sends each event at least once, and sometimes twice at once.
 * The event's id is the operation id, so it is booked once, and a repetition gets the first answer. */

import { connect, json, keyspace, layout } from "keywright"
import * as z from "zod"

const record = layout({ key: "{entity}:{id}", counter: "{entity}:next", all: "{entity}:all" })

export const billing = keyspace(
  {
    account: record("account", json(z.object({ id: z.string(), cents: z.int() })), { doc: "An account." }),
    booking: record("booking", json(z.object({ id: z.string(), account: z.string(), cents: z.int() })), {
      doc: "What was booked.",
    }),
  },
  { name: "billing", ttl: "never" },
)

const db = await connect(billing, undefined, { rememberFor: "3d" }) // longer than the provider repeats

export const paid = (event: { id: string; account: string; cents: number }) =>
  db.$transaction(
    async (t) => {
      const account = await t.account.get(event.account)
      if (!account) throw new Error("no such account")
      await t.account.update(account, { cents: account.cents + event.cents })
      const booking = await t.booking.create({ account: event.account, cents: event.cents })
      return { booking: booking.id, balance: account.cents + event.cents }
    },
    { operationId: `evt-${event.id}` },
  )

await db.account.create({ cents: 0 })
const event = { id: "e1", account: "1", cents: 500 }
const answers = await Promise.all([paid(event), paid(event), paid(event)])
console.log(answers.every(({ booking }) => booking === "1")) // → true
console.log(await paid(event)) // → { booking: '1', balance: 500 }
console.log((await db.account.get("1"))?.cents, await db.booking.count()) // → 500 1
console.log(await paid({ id: "e2", account: "1", cents: 100 })) // → { booking: '2', balance: 600 }
await db.$close()
