/* A server whose map of tokens has no last page. */

import { connect } from "keywright"
import { expect, it } from "vitest"
import { startHostile } from "../../../test/hostile-server.ts"
import type { Log } from "../../platform/log.ts"
import { messaging } from "../schema.ts"
import { homesOf } from "./homes.ts"
import { tokenSweeps } from "./token-sweeps.ts"

it("does not keep a sweep busy for ever, whether cursors repeat or not", async () => {
  let pages = 0
  const server = await startHostile(([name]) => {
    if (name === "HLEN") return ":10\r\n"
    const cursor = String(1 + (pages < 500 ? pages : 7))
    if (name?.startsWith("EVAL")) pages++
    return `*2\r\n$${cursor.length}\r\n${cursor}\r\n:1\r\n`
  })
  const db = await connect(messaging, server.url)
  const said: string[] = []
  const log = { error: (text: string) => void said.push(text) } as unknown as Log
  try {
    const sweeps = tokenSweeps({ db, homes: homesOf(db, 0), log, lenient: { onUndecodable: () => undefined } })
    expect(await sweeps.sweep(new AbortController().signal)).toBe(pages)
    expect(pages).toBeLessThanOrEqual(1001)
    expect(said).toEqual(["endless scan"])
  } finally {
    await db.$close()
    await server.close()
  }
})
