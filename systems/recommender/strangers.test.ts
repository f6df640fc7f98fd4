/* What anybody may ask for costs little when many ask for it at once. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve-for-test.ts"
import { onRealServer } from "../platform/testing/servers.ts"

const POSTS = 5000
const ASKED = 60

onRealServer("many who ask for all posts of a category at once", (server) => {
  let served: Served
  afterEach(() => served?.close())

  /** How often a command was sent since the statistics began. */
  const sent = async (command: string): Promise<number> => {
    const stats = String(await server().raw("INFO", "commandstats"))
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
  }

  it("share one answer, and those who ask later get another", async () => {
    served = await serveForTest(server(), "recommender")
    const members = Array.from({ length: POSTS }, (_, i) => [i % 7, i + 1]).flat()
    await server().raw("ZADD", "recent_posts_for_category1", ...members)
    const ask = async () => (await fetch(`${served.url}/categories/0/posts`)).text()
    const alone = await ask()
    expect(JSON.parse(alone).posts).toHaveLength(POSTS)
    await server().raw("CONFIG", "RESETSTAT")
    expect(new Set(await Promise.all(Array.from({ length: ASKED }, ask)))).toEqual(new Set([alone]))
    expect(await sent("zrange")).toBeLessThan(ASKED / 2)
    await server().raw("ZREM", "recent_posts_for_category1", 1)
    expect(JSON.parse(await ask()).posts).toHaveLength(POSTS - 1)
  })
})
