import { afterAll, expect } from "vitest"
import { Session } from "node:inspector"
import { writeFileSync } from "node:fs"
const session = new Session(); session.connect()
session.post("Profiler.enable"); session.post("Profiler.setSamplingInterval", { interval: 1000 }); session.post("Profiler.start")
afterAll(async () => {
  await new Promise<void>((r) => session.post("Profiler.stop", (_e, { profile }) => { writeFileSync(`/tmp/prof/${(expect.getState().testPath ?? "x").split("/").slice(-2).join("-")}.cpuprofile`, JSON.stringify(profile)); r() }))
}, 60000)
