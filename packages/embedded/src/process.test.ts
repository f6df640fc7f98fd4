/* How the engine lives in a process: what keeps that alive, and what lets it end. */

import { describe, expect, it } from "vitest"
import { runProgram } from "../../../test/child-program.ts"

const prelude = `
  import { start } from "@keywright/embedded"
  const ask = (channel, line) => new Promise((resolve) => {
    channel.onData = (bytes) => resolve(Buffer.from(bytes).toString().trim())
    channel.write(Buffer.from(line + "\\r\\n"))
  })
`

async function run(source: string): Promise<{ lines: readonly string[]; status: number | null; errors: string }> {
  const program = runProgram(prelude + source)
  const status = await program.ended
  return { lines: program.lines, status, errors: program.errors() }
}

describe("a program", () => {
  it("ends by itself when its connections are closed, without a word on standard error", async () => {
    const result = await run(`
      const engine = await start()
      const channel = engine.connect()
      console.log(await ask(channel, "PING"))
      channel.close()
    `)
    expect(result).toEqual({ lines: ["+PONG"], status: 0, errors: "" })
  })

  it("stays while a call is pending", async () => {
    const { lines } = await run(`
      const engine = await start()
      const channel = engine.connect()
      console.log(await ask(channel, "BLPOP list 0.3"))
      channel.close()
    `)
    expect(lines).toEqual(["*-1"])
  })

  it("stays while forward() is pending", async () => {
    const { lines } = await run(`
      const engine = await start()
      await engine.forward("1h")
      console.log("there")
    `)
    expect(lines).toEqual(["there"])
  })

  it("ends when nothing was ever asked", async () => {
    expect(await run("await start()")).toMatchObject({ status: 0, errors: "" })
  })

  it("ends after stop(), with channels left open and a port", async () => {
    const result = await run(`
      const engine = await start({ port: 0 })
      await ask(engine.connect(), "PING")
      await engine.stop()
    `)
    expect(result).toMatchObject({ status: 0, errors: "" })
  })

  it("stays while there is a port, until that is let go", async () => {
    const program = runProgram(`${prelude}
      const engine = await start({ port: 0 })
      setTimeout(() => { console.log("still here"); engine.unref() }, 300).unref()
    `)
    expect(await program.ended).toBe(0)
    expect(program.lines).toEqual(["still here"])
  })

  it("is warned when its engine was replaced and nobody listens", async () => {
    const { errors } = await run(`
      const engine = await start({ patienceMs: 1500 })
      const channel = engine.connect()
      await new Promise((resolve) => {
        channel.onClose = resolve
        channel.write(Buffer.from("EVAL 'while true do end' 0\\r\\n"))
      })
    `)
    expect(errors).toContain("[ENGINE.FROZEN] KeywrightEngine: the embedded engine made no progress for 1500 ms")
  })

  it("bundled into one file finds the engine where packages are installed", async () => {
    const { build } = await import("esbuild")
    const bundle = await build({
      stdin: {
        contents: `${prelude}
        const channel = (await start()).connect()
        console.log(await ask(channel, "PING"))
        channel.close()`,
        resolveDir: new URL(".", import.meta.url).pathname,
      },
      bundle: true,
      platform: "node",
      format: "esm",
      write: false,
    })
    const program = runProgram(bundle.outputFiles[0]?.text ?? "")
    expect(await program.ended).toBe(0)
    expect(program.lines).toEqual(["+PONG"])
  })
})
