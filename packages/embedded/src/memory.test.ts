/* What the process keeps of the memory that the engine has used, as the page on
 * differences says. Beyond 2 GB: memory.full.test.ts. */

import { expect, it } from "vitest"
import { runProgram } from "../../../test/child-program.ts"

it("memory that was used once stays with the process, is used again, and is returned by stop()", async () => {
  const program = runProgram(`
    import { start } from "@keywright/embedded"
    const engine = await start()
    const channel = engine.connect()
    const ask = (line) => new Promise((resolve) => {
      channel.onData = (bytes) => resolve(Buffer.from(bytes).toString())
      channel.write(Buffer.from(line + "\\r\\n"))
    })
    const fill = async () => {
      for (let index = 0; index < 12; index++) await ask("SETRANGE v" + index + " 8388607 x")
    }
    const told = async (name) => {
      const [, data] = /used_memory:(\\d+)/.exec(await ask("INFO memory"))
      console.log(name, Math.round(process.memoryUsage.rss() / 1e6), Math.round(Number(data) / 1e6))
    }
    await told("empty")
    await fill()
    await told("filled")
    await ask("FLUSHALL")
    await told("flushed")
    await fill()
    await told("refilled")
    channel.close()
    await engine.stop()
    console.log("stopped", Math.round(process.memoryUsage.rss() / 1e6))
  `)
  expect(await program.ended).toBe(0)
  const megabytes = new Map(
    program.lines.map((line) => line.split(" ")).map(([name = "", ...rest]) => [name, rest.map(Number)]),
  )
  const [processOf, dataOf] = [0, 1].map((at) => (name: string) => megabytes.get(name)?.[at] ?? Number.NaN) as [
    (name: string) => number,
    (name: string) => number,
  ]
  expect(dataOf("filled")).toBeGreaterThan(100)
  expect(dataOf("flushed")).toBeLessThan(5)
  const grown = processOf("filled") - processOf("empty")
  expect(grown).toBeGreaterThan(80)
  expect(processOf("flushed") - processOf("empty")).toBeGreaterThan(grown * 0.7)
  expect(processOf("refilled") - processOf("empty")).toBeLessThan(grown * 1.3)
  expect(processOf("stopped") - processOf("empty")).toBeLessThan(grown * 0.5)
})
