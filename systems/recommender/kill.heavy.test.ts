/* A run that is cut short anywhere, and the run after it, come to the same state, key by
 * key, as one that was left alone (REC-3, REC-11).
 *
 * Between and inside the batches, the connection is cut, byte by byte through all that a
 * run sends and is answered; and the whole process is killed at any moment. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { isFull } from "../../test/full.ts"
import { startProxy } from "../../test/tcp-proxy.ts"
import { ADMIN, send, serveForTest } from "../platform/testing/serve.ts"
import { serveProcess } from "../platform/testing/serve-process.ts"
import { onCluster } from "../platform/testing/cluster-server.ts"
import { onAnyServer, onRealServer, type TestServer } from "../platform/testing/servers.ts"
import { allKeys, dump, misfits } from "../platform/testing/stored.ts"
import { recommender as schema } from "./schema.ts"
import { firstNights, newRecords } from "./nights.cases.ts"
import { onShards } from "./shards.cases.ts"
import { date, sourceOf } from "./source.cases.ts"

const CUTS = isFull ? 300 : 8
const KILLS = isFull ? 40 : 1
const BATCH = ["--set", "recommender.batch=2"]
const CLAIM = "keywright:lease:recommender.run"

type Raw = TestServer["raw"]

const copyAll = async (raw: Raw, from: number, to: number): Promise<void> => {
  await raw("SELECT", to)
  await raw("FLUSHDB")
  await raw("SELECT", from)
  for (const key of await allKeys(raw)) await raw("COPY", key, key, "DB", to)
  await raw("SELECT", 0)
}

onAnyServer("a nightly run that is cut short", (server) => {
  it("REC-3: is made up for by the next one, wherever it was cut", async () => {
    const { raw, engine, redis } = server()
    const proxy = await startProxy(engine?.port ?? Number(new URL(redis!).port))
    const served = await serveForTest({ redis: proxy.url, engine: undefined }, "recommender", ...BATCH)
    const source = sourceOf(() => served)
    const run = async () => (await served.admin("POST /jobs/nightly", { date: date(4) })).status
    const rerun = async () => {
      await raw("DEL", CLAIM) // As when its seconds are over.
      const deadline = Date.now() + 10_000
      for (let status = await run(); status !== 200; status = await run()) {
        expect([status, Date.now() < deadline]).toEqual([503, true])
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    try {
      await firstNights(source)
      await copyAll(raw, 0, 5)
      await newRecords(source)
      expect(await run()).toBe(200)
      const whole = await dump(raw)
      expect(await misfits(raw, schema.keys)).toEqual([])

      const sizes = await measured(proxy, async () => {
        await copyAll(raw, 5, 0)
        expect(await run()).toBe(200)
        expect(await dump(raw)).toEqual(whole)
      })
      let failed = 0
      for (let i = 0; i < CUTS; i++) {
        await copyAll(raw, 5, 0)
        if (i % 3 === 0) proxy.cutReplyAfter(1 + Math.floor((sizes.replies * i) / CUTS))
        else proxy.cutRequestAfter(1 + Math.floor((sizes.requests * i) / CUTS))
        if ((await run()) !== 200) failed += 1
        proxy.cutRequestAfter(Infinity)
        proxy.cutReplyAfter(Infinity)
        await rerun()
        expect(await dump(raw), `cut ${i}`).toEqual(whole)
      }
      expect(failed).toBeGreaterThan(CUTS / 2)
    } finally {
      await served.close()
      await proxy.close()
    }
  })
})

/** How many bytes go each way. */
async function measured(proxy: Awaited<ReturnType<typeof startProxy>>, work: () => Promise<void>) {
  const before = proxy.bytes()
  await work()
  const after = proxy.bytes()
  return { requests: after.requests - before.requests, replies: after.replies - before.replies }
}

onRealServer("kill -9 of the recommender", (server) => {
  const raw = (...command: (string | number)[]) => server().raw(...command)

  /** A separate process over a file, behind a connection that is slow enough to be killed in. */
  async function inFolder(work: (start: (url: string) => ReturnType<typeof serveProcess>) => Promise<void>) {
    const folder = mkdtempSync(join(tmpdir(), "keywright-recommender-"))
    const database = `sqlite:${join(folder, "source.db")}`
    const args = ["recommender", "--port", "0", "--admin-token", ADMIN, "--clock", `${date(4)}T12:00:00Z`, ...BATCH]
    try {
      await work((url) =>
        serveProcess(...args, "--database", database, "--redis", url, "--set", "recommender.jobs=false"),
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  const call = async (url: string, request: string, body: object) => {
    const { status } = await send(url, request, { token: ADMIN, body })
    return status
  }

  it.each(isFull ? ["nightly", "rebuild"] : ["nightly"])("REC-3 REC-11: a %s continues where it was", async (kind) => {
    await inFolder(async (start) => {
      const proxy = await startProxy(Number(new URL(server().redis!).port))
      const body = kind === "nightly" ? { date: date(4) } : { max_post_age: 5 }
      const request = `POST /jobs/${kind}`
      const first = await start(server().redis!)
      const source = sourceOf(
        () =>
          ({
            admin: (request: string, body: unknown) => send(first.url, request, { token: ADMIN, body }) as never,
          }) as never,
      )
      await firstNights(source)
      await copyAll(raw, 0, 5)
      await newRecords(source)
      expect(await call(first.url, request, body)).toBe(200)
      const whole = await dump(raw)
      await first.stop()

      let gone = 0
      proxy.delayReplies(10)
      for (let i = 0; i < KILLS; i++) {
        await copyAll(raw, 5, 0)
        const doomed = await start(proxy.url)
        const cut = call(doomed.url, request, body).catch(() => (gone += 1))
        await new Promise((resolve) => setTimeout(resolve, (200 * (i + 0.5)) / KILLS))
        await doomed.kill9()
        await cut
        // A rebuild that was cut short is carried on by a nightly run too.
        const next = await start(server().redis!)
        if (i > 0) await raw("DEL", CLAIM)
        const again = kind === "rebuild" && i % 2 === 1 && (await raw("HGET", "rs_param", "max_post_age")) === "5"
        const started = Date.now()
        // The first time nobody helps: the claim of who died ends by itself.
        for (;;) {
          const status = again
            ? await call(next.url, "POST /jobs/nightly", { date: date(4) })
            : await call(next.url, request, body)
          if (status === 200) break
          expect([status, Date.now() - started < 30_000]).toEqual([409, true])
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        expect(await dump(raw), `kill ${i}`).toEqual(whole)
        await next.stop()
      }
      expect(gone).toBeGreaterThan(KILLS / 2)
      expect(await misfits(raw, schema.keys)).toEqual([])
      await proxy.close()
    })
  })
})

onCluster(
  "kill -9 of the recommender",
  (server) => {
    /** A process whose steps at one node are not answered, and not even carried out before it is dead. */
    it.each(isFull ? (["nightly", "rebuild"] as const) : (["nightly"] as const))(
      "REC-3 REC-11: a %s on shards is made up for by the next one, also when a node carries out the dead one's steps later",
      async (kind) => {
        const request = `POST /jobs/${kind}`
        const body = kind === "nightly" ? { date: date(4) } : { max_post_age: 5 }
        const clock = ["--clock", `${date(4)}T12:00:00Z`]
        const job = async ({ url }: { readonly url: string }) =>
          expect((await send(url, request, { token: ADMIN, body })).status).toBe(200)
        const undisturbed = await serveForTest(
          { redis: undefined, engine: undefined },
          "recommender",
          ...clock,
          ...BATCH,
        )
        const at = ({ url }: { readonly url: string }) =>
          sourceOf(
            () => ({ admin: (request: string, body: unknown) => send(url, request, { token: ADMIN, body }) }) as never,
          )
        await firstNights(at(undisturbed))
        await newRecords(at(undisturbed))
        await job(undisturbed)
        const whole = await answersOf(undisturbed.url)
        await undisturbed.close()

        const { raw, redis, cluster, settings } = server()
        const placed = Object.entries(settings!).flatMap(([name, value]) => ["--set", `recommender.${name}=${value}`])
        let gone = 0
        for (let i = 0; i < (isFull ? 12 : 1); i++) {
          await raw("FLUSHALL")
          const folder = mkdtempSync(join(tmpdir(), "keywright-recommender-"))
          const args = ["recommender", "--port", "0", "--admin-token", ADMIN, ...clock, ...BATCH]
          const start = () =>
            serveProcess(
              ...[...args, ...placed, "--set", "recommender.jobs=false"],
              ...["--database", `sqlite:${join(folder, "source.db")}`, "--redis", redis!],
            )
          const doomed = await start()
          await firstNights(at(doomed))
          await newRecords(at(doomed))
          // The run is held up where the node is needed first; other shards are done by then, or not.
          const node = cluster!.nodes[i % 3]!
          const poolCursor = () => raw("HGET", "rs_param", "cursor_post")
          const before = await poolCursor()
          const cut = send(doomed.url, request, { token: ADMIN, body }).catch(() => (gone += 1))
          if (i >= 3) await new Promise((resolve) => setTimeout(resolve, i * 3))
          node.pause()
          await new Promise((resolve) => setTimeout(resolve, 100))
          await doomed.kill9()
          node.resume()
          await cut
          expect(before).not.toBeNull()
          const next = await start()
          // The node may carry out the dead one's claim late, too.
          await expect
            .poll(async () => {
              await raw("DEL", CLAIM)
              return (await send(next.url, request, { token: ADMIN, body })).status
            })
            .toBe(200)
          expect(await answersOf(next.url), `kill ${i}`).toEqual(whole)
          expect(await misfits(raw, schema.keys)).toEqual([])
          await next.stop()
          rmSync(folder, { recursive: true })
        }
        expect(gone).toBeGreaterThan(0)
      },
    )
  },
  onShards,
)

/** Everything that is kept, as it is answered. */
async function answersOf(url: string): Promise<unknown> {
  const users = [5, 6, 7, 9, 10].flatMap((user) =>
    ["contribution", "preferences", "liked"].map((what) => `GET /users/${user}/${what}`),
  )
  const pool = [0, 1, 2, 3, 4].map((category) => `GET /categories/${category}/posts`)
  const requests = [...users, ...pool, "GET /challenges", "GET /status", "GET /params"]
  return Promise.all(requests.map(async (request) => [request, (await send(url, request)).body]))
}
