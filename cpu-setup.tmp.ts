import { afterAll, expect } from "vitest"
import { appendFileSync, readFileSync } from "node:fs"
const t0 = performance.now()
const cpu = () => { const f = readFileSync("/proc/self/stat","utf8").split(") ")[1]!.split(" "); return [f[11],f[12],f[13],f[14]].map((x)=>Number(x)/100) }
const start = cpu()
afterAll(async () => {
  await new Promise((r)=>setTimeout(r,20))
  const end = cpu()
  appendFileSync(process.env["CPU_LOG"]!, JSON.stringify({ file: expect.getState().testPath ?? (globalThis as any).__vitest_worker__?.filepath, wall: (performance.now()-t0)/1000, before: start, self: end[0]!+end[1]!-start[0]!-start[1]!, kids: end[2]!+end[3]!-start[2]!-start[3]! })+"\n")
}, 60000)
