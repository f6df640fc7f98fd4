import { start } from "@keywright/embedded"
import { connect } from "keywright"
import { expect, it } from "vitest"
import { startClock } from "../../platform/clock.ts"
import { alone } from "../../platform/workers/team.ts"
import { messaging } from "../schema.ts"
import { homesOf } from "./homes.ts"
import { tokens } from "./tokens.ts"

it("MSG-2: a logout that comes just after an exchange does not hide that the refresh token was spent", async () => {
  const engine = await start()
  const db = await connect(messaging, engine.url)
  try {
    const settings = { haste: 0, initialRefreshTtl: 30, accessTtl: 60, refreshTtl: 0, statusTtl: 60 }
    const context = { db, homes: homesOf(db, 0), clock: startClock(), settings, log: {}, team: alone }
    const relay = { kept: { kept: 10, keptMs: 1000 }, of: () => Promise.resolve() }
    const service = tokens(context as never, relay as never)
    const grant = { tenant: "1", account: "1", project: "1", service: "roc", user: "ada" } as const
    const arrival = (at: number) => ({ at, isFirst: false, socket: {} as never, address: "192.0.2.1" })
    const { refreshToken: first } = await service.issue("1", grant)
    const stolen = await service.exchange(first, arrival(0))
    const caller = await service.authenticate(stolen.accessToken)
    // The logout has found the refresh token of its access token, and then that is exchanged.
    const next = await service.exchange(stolen.refreshToken, arrival(0))
    await db.people({ home: "0000" }).pairedRefresh({ token: stolen.accessToken }).set(stolen.refreshToken)
    await expect(service.end(caller)).rejects.toMatchObject({ status: 401 })
    await service.authenticate(next.accessToken)

    await expect(service.exchange(stolen.refreshToken, arrival(Infinity))).rejects.toMatchObject({ status: 401 })
    await expect(service.authenticate(next.accessToken)).rejects.toMatchObject({ status: 401 })
  } finally {
    await db.$close()
    await engine.stop()
  }
})
