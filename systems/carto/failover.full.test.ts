/* Users who are renamed and viewed while primaries of a six-node cluster are replaced: in the end each has one name, and
 * all that is theirs. */

import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, expect, it } from "vitest"
import { failOver, killAndReplace, untilCalm } from "../../test/cluster-control.ts"
import { onCluster } from "../platform/testing/cluster-server.ts"
import { send } from "../platform/testing/serve.ts"
import { allMisfits, cartoForTest, dumpAll, type Carto } from "./carto.cases.ts"
import { inPlace } from "./in-place.cases.ts"

const USERS = 6
const AGAIN_MS = 50
const DAY = "20111003"

type Stored = Record<string, { value: Record<string, string> }>

onCluster(
  "carto, primaries of which are replaced",
  (server) => {
    let app: Carto
    afterEach(() => app?.close())

    /** Renames and views of all users while something happens to the cluster. How many views were lost. */
    async function during(trouble: () => Promise<void>, times: number): Promise<number> {
      const cluster = server().cluster!
      await untilCalm(cluster) // A replica that has not copied its primary yet cannot replace it.
      app = await cartoForTest(server(), "--set", "carto.moveReplicas=1")
      const names = Array.from({ length: USERS }, (_, i) => `u${i}`)
      for (const [i, name] of names.entries()) await app.user(name, i + 1)
      const counted = names.map(() => ({ done: 0, unknown: 0, renames: 0 }))
      const over = new AbortController()

      const view = async (i: number): Promise<void> => {
        while (!over.signal.aborted) {
          const { status } = await send(app.url, `POST /users/${names[i]}/mapviews`, {
            body: { visualization_id: "v" },
          })
          if (status === 204) counted[i]!.done++
          else if (status !== 404) counted[i]!.unknown++
          if (status !== 204) await sleep(AGAIN_MS)
        }
      }
      /** What was not answered is asked for again, until the user has the name. */
      const rename = async (i: number): Promise<void> => {
        for (let n = 0; !over.signal.aborted; n++) {
          const [from, to] = [names[i]!, `u${i}-${n}`]
          const isDone = async () =>
            (await app.admin(`POST /users/${from}/rename`, { username: to })).status === 200 ||
            (await send(app.url, `GET /lookup?host=${to}`)).status === 200
          while (!(await isDone())) await sleep(AGAIN_MS)
          names[i] = to
          counted[i]!.renames++
        }
      }
      const working = names.flatMap((_, i) => [view(i), rename(i)])
      const fewest = () => Math.min(...counted.map(({ renames, done }) => Math.min(renames, done)))
      for (let i = 0; i < times; i++) {
        const before = fewest()
        await expect.poll(fewest, { timeout: 120_000 }).toBeGreaterThan(before + 2)
        await trouble()
        await untilCalm(cluster)
      }
      over.abort()
      await Promise.all(working)
      expect((await app.admin("POST /jobs/restore/run")).status).toBe(200)
      return lostViews(names, counted)
    }

    async function lostViews(names: readonly string[], counted: readonly { done: number; unknown: number }[]) {
      const stored = (await dumpAll(server().raw))[5] as Stored
      expect(Object.keys(stored).toSorted()).toEqual(
        names
          .flatMap((name) => [
            `rails:users:${name}`,
            `user:${name}:mapviews:global`,
            `user:${name}:mapviews:stat_tag:v`,
          ])
          .toSorted(),
      )
      let lost = 0
      for (const [i, name] of names.entries()) {
        const { done, unknown } = counted[i]!
        expect(stored[`rails:users:${name}`]!.value["id"]).toBe(String(i + 1))
        const views = Number(stored[`user:${name}:mapviews:global`]!.value[DAY])
        expect(stored[`user:${name}:mapviews:stat_tag:v`]!.value["total"]).toBe(String(views))
        expect(views, `${name}: ${done} done, ${unknown} unknown`).toBeLessThanOrEqual(done + unknown)
        lost += Math.max(0, done - views)
      }
      expect(await server().plain("KEYS", "*moving*")).toEqual([])
      expect(await allMisfits(server().raw)).toEqual([])
      return lost
    }

    it("CDB-6 CDB-16: renames are whole and every view counts once through failovers, six of them", async () => {
      expect(await during(() => failOver(server().cluster!), 6)).toBe(0)
    })

    it("CDB-6 CDB-16: renames are whole when primaries are killed, and no more views are lost than Redis loses", async () => {
      const kills = 4
      const lost = await during(() => killAndReplace(server().cluster!), kills)
      console.log(`${lost} views lost with ${kills} killed primaries`)
      // What was not replicated within the last moments: callers wait for each answer, so each kill takes few.
      expect(lost).toBeLessThanOrEqual(kills * USERS)
    })
  },
  inPlace,
)
