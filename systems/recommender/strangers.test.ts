/* What anybody may ask for costs little when many ask for it at once. */

import { afterEach, expect, it } from "vitest"
import { serveForTest, type Served } from "../platform/testing/serve.ts"
import { onRealServer } from "../platform/testing/servers.ts"
import { commandsDuring } from "../platform/testing/stored.ts"

const POSTS = 5000
const ASKED = 60

onRealServer("many who ask for all posts of a category at once", (server) => {
  let served: Served
  afterEach(() => served?.close())

  it("share one answer, and those who ask later get another", async () => {
    served = await serveForTest(server(), "recommender")
    const members = Array.from({ length: POSTS }, (_, i) => [i % 7, i + 1]).flat()
    await server().raw("ZADD", "recent_posts_for_category1", ...members)
    const ask = async () => (await fetch(`${served.url}/categories/0/posts`)).text()
    const alone = await ask()
    expect(JSON.parse(alone).posts).toHaveLength(POSTS)
    const sent = await commandsDuring(server(), async () =>
      expect(new Set(await Promise.all(Array.from({ length: ASKED }, ask)))).toEqual(new Set([alone])),
    )
    const reads = sent.filter(([command]) => command!.toUpperCase() === "ZRANGE")
    expect(reads.length).toBeGreaterThan(0)
    expect(reads.length).toBeLessThan(ASKED / 2)
    await server().raw("ZREM", "recent_posts_for_category1", 1)
    expect(JSON.parse(await ask()).posts).toHaveLength(POSTS - 1)
  })
})
