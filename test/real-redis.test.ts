import { describe, expect, it } from "vitest"
import { needs } from "./needs.ts"
import { startRedis } from "./real-redis.ts"
import { RespClient } from "./resp-client.ts"

describe.runIf(needs("redis-server"))("a real redis-server", () => {
  it("keeps port and data over kill -9 and a restart, with an append-only file", async () => {
    const redis = await startRedis({ args: ["--appendonly", "yes", "--appendfsync", "always"] })
    const client = await RespClient.connect(redis.port)
    await client.send("SET", "a", "1")
    await redis.kill9()
    await client.closed
    await redis.restart()
    expect(await (await RespClient.connect(redis.port)).send("GET", "a")).toBe("1")
    await redis.stop()
  })

  it("can be paused and resumed", async () => {
    const redis = await startRedis({ unixSocket: true })
    const client = await RespClient.connect(redis.port)
    redis.pause()
    const late = client.send("PING")
    expect(await Promise.race([late, new Promise((resolve) => setTimeout(resolve, 100, "silence"))])).toBe("silence")
    redis.resume()
    expect(await late).toBe("PONG")
    await redis.stop()
  })

  it("does not outlive a process that was killed", async () => {
    const { runProgram } = await import("./child-program.ts")
    const { build } = await import("esbuild")
    const source = `import { startRedis } from "./test/real-redis.ts"; console.log((await startRedis()).port)`
    const bundle = await build({
      stdin: { contents: source, resolveDir: process.cwd() },
      bundle: true,
      platform: "node",
      format: "esm",
      write: false,
    })
    const program = runProgram(bundle.outputFiles[0]?.text ?? "")
    await expect.poll(() => program.lines.length, { timeout: 10_000 }).toBe(1)
    program.process.kill("SIGKILL")
    await program.ended
    const refused = () =>
      RespClient.connect(Number(program.lines[0])).then(String, (error: { code: string }) => error.code)
    await expect.poll(refused).toBe("ECONNREFUSED")
  })
})
