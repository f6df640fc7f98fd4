/* Nightly runs on a six-node cluster whose primaries are replaced meanwhile: in the end there is, key by key, what
 * undisturbed runs leave on one server. */

import { start } from "@keywright/embedded"
import { connect } from "keywright"
import { audit } from "keywright/operate"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { failOver, killAndReplace, untilCalm } from "../../test/cluster-control.ts"
import { RespClient } from "../../test/resp-client.ts"
import { onCluster } from "../platform/testing/cluster-server.ts"
import { send, serveForTest, ADMIN } from "../platform/testing/serve.ts"
import { dump, misfits } from "../platform/testing/stored.ts"
import { auditRules } from "./audit-rules.ts"
import { acceptSplit, recommender as plain, recommenderSchema } from "./schema.ts"
import { onShards } from "./shards.cases.ts"
import { date, noon, sourceOf } from "./source.cases.ts"

const USERS = 20
const SMALL_BATCHES = ["--set", "recommender.batch=2"]
const AGAIN_MS = 100
const schema = recommenderSchema({ shards: 16 })

type Source = ReturnType<typeof sourceOf>

/** What happens in a day: everybody posts and reacts, and some take it back. */
async function aDay({ challenge, member, post, react, cancel }: Source, day: number): Promise<void> {
  if (day === 1)
    for (const id of [1, 2, 3]) {
      await challenge({ id, category: id, duration: 300 })
      for (let user = 1; user <= USERS; user++) await member(id, user)
    }
  for (let user = 1; user <= USERS; user++) {
    const id = await post(1 + ((user + day) % 3), user, { created: noon(day) })
    for (const other of [1, 7, 11]) await react(id, 1 + ((user + other) % USERS))
    if (user % 4 === 0) await cancel(id, 1 + ((user + 7) % USERS))
  }
}

onCluster(
  "the recommender, primaries of which are replaced",
  (server) => {
    async function nights(count: number, trouble: () => Promise<void>): Promise<void> {
      const cluster = server().cluster!
      await untilCalm(cluster)
      const engine = await start({ port: 0 })
      const client = await RespClient.connect(engine.port!)
      const one = await serveForTest({ redis: undefined, engine }, "recommender", ...SMALL_BATCHES)
      const many = await serveForTest(server(), "recommender", ...SMALL_BATCHES)
      let interrupted = 0
      for (let day = 1; day <= count; day++) {
        for (const served of [one, many])
          await aDay(
            sourceOf(() => served),
            day,
          )
        await sourceOf(() => one).nightly(day)
        const run = () => send(many.url, "POST /jobs/nightly", { token: ADMIN, body: { date: date(day) } })
        const running = run()
        await trouble()
        for (let answer = await running; answer.status !== 200; answer = await run()) {
          expect([409, 503], JSON.stringify(answer.body)).toContain(answer.status)
          interrupted++
          await sleep(AGAIN_MS)
        }
        await untilCalm(cluster)
      }
      console.log(`${count} nights, ${interrupted} runs that were interrupted`)
      expect(await dump(server().raw)).toEqual(await dump((...words) => client.send(...words)))
      expect(await misfits(server().raw, plain.keys)).toEqual([])
      const db = await connect(schema, server().redis!, { acceptSplit: acceptSplit({ shards: 16 }) })
      const { summary } = await audit(schema as never, db.$driver(), { rules: auditRules() })
      expect(summary).toEqual({})
      await Promise.all([db.$close(), one.close(), many.close()])
      client.close()
      await engine.stop()
    }

    it("REC-3: nightly runs through failovers leave what undisturbed ones leave", async () => {
      await nights(6, () => failOver(server().cluster!))
    })

    it("REC-3: so do runs while primaries are killed", async () => {
      await nights(4, () => killAndReplace(server().cluster!))
    })
  },
  onShards,
)
