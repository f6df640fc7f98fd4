/* A queue on a stream: workers share a group, a job that fails is tried again later, and after three
 * tries it is kept as a dead letter. A worker that dies loses nothing: what it had is claimed by others. */

import { connect, int, keyspace, stream, text, unixMillis, zset } from "keywright"

const fields = { to: text, tries: int }

export const mail = keyspace(
  {
    jobs: stream("mail:jobs", fields, { keep: 100_000, doc: "What is to be sent." }),
    later: zset("mail:later", text, { score: unixMillis, doc: "job|to|tries, by when to try again." }),
    dead: stream("mail:dead", { ...fields, reason: text }, { keep: 1000, doc: "Given up after three tries." }),
  },
  { name: "mail", ttl: "never" },
)

const db = await connect(mail)
const GROUP = "senders"
const backoffMs = (tries: number) => 1000 * 2 ** tries

/** One pass: takes over what is stuck, reads what is new, works, and acknowledges. */
export async function pass(worker: string, send: (to: string) => Promise<void>, now = Date.now()) {
  const { entries: stuck } = await db.jobs().autoClaim(GROUP, worker, { idleMs: 30_000 })
  const fresh = await db.jobs().readGroup(GROUP, worker, { count: 10 })
  for (const { id, value } of [...stuck, ...fresh]) {
    const tries = value.tries + 1
    const reason = await send(value.to).catch((error: Error) => error.message)
    await db.$multi((db) => [
      db.jobs().ack(GROUP, id),
      ...(reason === undefined
        ? []
        : tries < 3
          ? [db.later().add(`${id}|${value.to}|${tries}`, new Date(now + backoffMs(tries)))]
          : [db.dead().append({ to: value.to, tries, reason })]),
    ])
  }
}

/** Moves what is due back into the queue, each in one step: two workers do not both move it, and none is lost between. */
export async function requeue(now: Date) {
  for (const [member] of await db.later().between("-inf", now, { limit: 100 })) {
    const [, to = "", tries = "0"] = member.split("|")
    await db.$transaction(async (t) => {
      if ((await t.later().remove(member)) === 1) await t.$blind.jobs().append({ to, tries: Number(tries) })
    })
  }
}

await db.jobs().createGroup(GROUP, { from: "0" })
await db.jobs().append({ to: "ann", tries: 0 })
await db.jobs().append({ to: "nobody", tries: 0 })
const send = async (to: string) => {
  if (to === "nobody") throw new Error("no such mailbox")
  console.log(`sent to ${to}`) // → sent to ann
}
for (let hour = 0; hour < 4; hour++) await pass("w1", send).then(() => requeue(new Date(Date.now() + 3_600_000)))
console.log((await db.dead().range()).map(({ value }) => value)) // → [ { to: 'nobody', tries: 3, reason: 'no such mailbox' } ]
await db.$close()
