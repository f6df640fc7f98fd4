/* Five systems with a history, made as users would make it: over HTTP, on several days,
 * with every setting on that a key of the documents needs. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Engine } from "@keywright/embedded"
import { catalog, known } from "./catalog.ts"
import { callerOf } from "./demo/caller.ts"
import { fillSystems } from "./demo/demo.ts"
import { randomFrom } from "./demo/random.ts"
import { mapsOfADay, messengers, payingGuests, runners, shoppers } from "./infer-plays.cases.ts"
import { openLog } from "./platform/log.ts"
import { readOptions } from "./platform/options.ts"
import { startServer, type Server } from "./platform/server.ts"

export const access = {
  adminToken: "admin",
  boss: { email: "boss@example.com", password: "demo-boss-2024" },
}
const SETTINGS = [
  "shop.openLogin=true",
  "carto.queriesLog=true",
  `restaurant.adminEmail=${access.boss.email}`,
  `restaurant.adminPassword=${access.boss.password}`,
  "restaurant.vnpay.tmnCode=DEMO0001",
  "restaurant.vnpay.hashSecret=not-a-secret-of-anybody",
  "restaurant.vnpay.returnUrl=http://localhost/payment/vnpay/callback",
]
const DAYS = ["2026-10-29", "2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02", "2026-11-03"]
const TODAY = "2026-11-04"
const log = openLog(() => undefined)

/** Serves all systems on the engine, with what went before in it; another seed, another life. */
export async function livedIn(engine: Engine, seed = 7): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), "keywright-systems-infer-"))
  const serve = async (names: readonly string[], day: string) => {
    const own = SETTINGS.filter((setting) => names.some((name) => setting.startsWith(`${name}.`)))
    const args = [names.join(), "--port", "0", "--admin-token", access.adminToken, "--clock", `${day}T09:00:00Z`]
    const database = ["--database", `sqlite:${join(directory, "source.db")}`]
    const plan = await readOptions([...args, ...database, ...own.flatMap((setting) => ["--set", setting])], catalog)
    return startServer({ ...plan, known, engine, log })
  }
  const names = Object.keys(catalog)
  for (const day of DAYS) {
    const server = await serve(["carto"], day)
    if (day === DAYS[0]) await fillSystems(["carto"], { url: server.url, ...access, seed, log })
    await mapsOfADay(server.url, access.adminToken, randomFrom(seed + DAYS.indexOf(day)))
    await server.close()
  }
  const server = await serve(names, TODAY)
  const callers = (name: string) => callerOf(`${server.url}/${name}`, access.adminToken)
  await mapsOfADay(`${server.url}/carto`, access.adminToken, randomFrom(seed + DAYS.length))
  await runners(callers("recommender"), randomFrom(seed), TODAY)
  const people = await fillSystems(
    names.filter((name) => name !== "carto"),
    { url: server.url, ...access, seed, log },
  )
  for (const one of people) for (let i = 0; i < 60; i++) await one.act()
  await shoppers(callers("shop"))
  await payingGuests(callers("restaurant"), access.boss)
  await messengers(callers("messaging"))
  return {
    url: server.url,
    async close() {
      await server.close()
      rmSync(directory, { recursive: true })
    },
  }
}
