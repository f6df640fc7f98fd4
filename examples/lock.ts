/* A distributed lock: one process at a time, and a fencing number for what the lock protects.
 *
 * No lock can stop a process that sleeps while its lease ends. So the last write carries a number that
 * only grows, and the step that writes refuses a number that is too old. */

import { connect, counter, exclusive, int, keyspace, step, string, text } from "keywright"

export const stock = keyspace(
  {
    fence: counter("report:fence", { doc: "Grows with each run." }),
    newest: string("report:newest", int, { doc: "The run that wrote the report." }),
    report: string("report", text, { doc: "The report." }),
  },
  {
    name: "stock",
    ttl: "never",
    steps: {
      publish: step({
        script: `-- KEYS newest, report; ARGV run, text
if tonumber(redis.call("GET", KEYS[1]) or "0") > tonumber(ARGV[1]) then
  return redis.error_reply("REPORT.OVERTAKEN a later run has published")
end
redis.call("SET", KEYS[1], ARGV[1])
redis.call("SET", KEYS[2], ARGV[2])`,
        keys: ["newest", "report"],
        args: { run: int, text },
      }),
    },
  },
)

const db = await connect(stock)
const reporting = exclusive({ name: "report", on: db, ttl: "10s" }) // renewed while the work is under way

export const makeReport = (write: (signal: AbortSignal) => Promise<string>) =>
  reporting.run(async ({ signal }) => {
    const run = await db.fence().increment()
    await db.$steps.publish({ run, text: await write(signal) })
    return run
  })

const [one, two] = await Promise.all([makeReport(async () => "42 items"), makeReport(async () => "42 items")])
console.log([one, two].filter((run) => run === undefined).length) // → 1
await db.$steps.publish({ run: 0, text: "old" }).catch((error) => console.log(error.code)) // → REPORT.OVERTAKEN
console.log(await db.report().get()) // → 42 items
await db.$close()
