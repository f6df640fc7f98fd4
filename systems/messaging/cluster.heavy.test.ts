/* The messenger on six nodes; a primary is killed while tokens are exchanged, each by two
 * clients at once. Looked at by plain commands: no token led to two living pairs, map and
 * tokens are in step, and so are OnSub and the statuses. */

import { connect, keyspace } from "keywright"
import { audit } from "keywright/operate"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../test/full.ts"
import { needs } from "../../test/needs.ts"
import { startCluster, type RealCluster } from "../../test/redis-cluster.ts"
import { killPrimaryOf } from "../platform/testing/owner.ts"
import { ADMIN, send } from "../platform/testing/serve.ts"
import { serveProcess } from "../platform/testing/serve-process.ts"
import { auditRules } from "./audit-rules.ts"
import { messagingSchema } from "./schema.ts"
import { SHARDS, TAGS, tagOf, tagOfToken } from "./shards.cases.ts"

const ROUNDS = isFull ? 6 : 1
const PEOPLE = 12
/** Two services, each in all shards. */
const SERVICES = ["1", "2"]

describe.runIf(needs("redis-server"))("the messenger on a cluster, and kill -9 of a primary", () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await startCluster("--cluster-node-timeout 1000 --appendonly yes --repl-diskless-sync-delay 0".split(" "))
  })
  afterAll(() => cluster?.stop())

  test(`${ROUNDS} times: tokens are exchanged once, and nothing is out of step (MSG-3, MSG-6, MSG-11)`, async () => {
    const app = await serveProcess(
      ...["messaging", "--port", "0", "--redis", cluster.nodes[0]!.url, "--admin-token", ADMIN],
      ...["--set", `messaging.shards=${SHARDS}`, "--set", "messaging.jobs=false", "--set", "messaging.haste=0"],
    )
    const issue = async (user: string, serviceId: string): Promise<string> => {
      const body = { tenant: "1", account: "1", project: "9", serviceId, service: "roc", user }
      for (;;) {
        const answer = await send(app.url, "POST /v1/saas/tokens", { token: ADMIN, body })
        if (answer.status === 201) return (answer.body as Pair).refreshToken
        expect(answer.status).toBe(503)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const exchange = (refreshToken: string) => send(app.url, "POST /v1/auth/token", { body: { refreshToken } })
    /** What each refresh token was exchanged for. */
    const given = new Map<string, string[]>()
    const state = { isOver: false, unanswered: 0 }

    /** Two clients race for each token; the token that the winner gets is used next. */
    const chain = async (user: string, service: string): Promise<void> => {
      let token = await issue(user, service)
      while (!state.isOver) {
        const answers = await Promise.all([exchange(token), exchange(token)])
        state.unanswered += answers.filter(({ status }) => status >= 500).length
        const won = answers.filter(({ status }) => status === 200).map(({ body }) => body as Pair)
        given.set(token, [...(given.get(token) ?? []), ...won.map(({ accessToken }) => accessToken)])
        const next = won[0]?.refreshToken
        if (next !== undefined) token = next
        // Nobody knows what became of it: it may still be good, or it is spent.
        else if (answers.every(({ status }) => status === 401)) token = await issue(user, service)
      }
    }

    for (let round = 0; round < ROUNDS; round++) {
      state.isOver = false
      const running = Array.from({ length: PEOPLE }, (_, i) => chain(`u${i}`, SERVICES[i % SERVICES.length]!))
      await new Promise((resolve) => setTimeout(resolve, 200))
      await killPrimaryOf(cluster, tagOf("9", SERVICES[round % SERVICES.length]!, `u${round % SERVICES.length}`))
      await new Promise((resolve) => setTimeout(resolve, 300))
      state.isOver = true
      await Promise.all(running)

      for (const job of ["tokens", "online"])
        expect((await send(app.url, `POST /jobs/${job}/run`, { token: ADMIN })).status).toBe(200)
      const look = await connect(keyspace({}), cluster.nodes[0]!.url, { timeoutMs: 20_000 })
      const raw = (...words: string[]) => look.$driver().send(words)
      for (const [token, accesses] of given) {
        const alive = []
        for (const access of accesses)
          if ((await raw("HEXISTS", `${tagOfToken(token)}TokensKeys`, access)) === 1) alive.push(access)
        expect(alive.length, "one token, two living pairs").toBeLessThanOrEqual(1)
      }
      const keys = (await raw("KEYS", "*")) as string[]
      const tokens = keys.filter((key) => /:(RefTok|AccTok):/.test(key)).sort()
      const mapped: string[] = []
      for (const tag of TAGS)
        mapped.push(...((await raw("HVALS", `${tag}TokensKeys`)) as string[]).map((key) => tag + key))
      expect(mapped.sort()).toEqual(tokens)
      for (const key of keys.filter((one) => one.endsWith(":OnSub"))) {
        const before = key.slice(0, -"OnSub".length)
        const online = ((await raw("SMEMBERS", key)) as string[]).map((user) => `${before}St:${user}`)
        expect(online.sort()).toEqual(keys.filter((one) => one.startsWith(`${before}St:`)).sort())
      }
      const { findings } = await audit(messagingSchema({ shards: SHARDS }), look.$driver(), { rules: auditRules({}) })
      expect(findings).toEqual([])
      const twice = [...given.values()].filter((accesses) => accesses.length > 1).length
      console.log(
        `${given.size} tokens, ${twice} exchanged again after their exchange was lost, ${state.unanswered} 5xx`,
      )
      await look.$close()
    }

    for (const service of SERVICES)
      await send(app.url, `DELETE /v1/saas/tokens?project=9&service=${service}`, { token: ADMIN })
    const look = await connect(keyspace({}), cluster.nodes[0]!.url)
    const left = ((await look.$driver().send(["KEYS", "*"])) as string[]).filter((key) => /Tok/.test(key))
    expect(left).toEqual([])
    expect(given.size).toBeGreaterThan(PEOPLE)
    await look.$close()
    await app.stop()
  })
})

interface Pair {
  readonly refreshToken: string
  readonly accessToken: string
}
