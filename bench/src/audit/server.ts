/* A redis-server of the bench's own, filled through `redis-cli --pipe`, and the tools beside it. */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

export interface BenchServer {
  readonly socket: string
  readonly url: string
  /** Where SAVE writes to. */
  readonly rdb: string
  /** Runs `redis-cli` to its end; the milliseconds it took. */
  cli(...args: string[]): Promise<number>
  stop(): Promise<void>
}

export async function serverWith(data: Iterable<string>): Promise<BenchServer> {
  const directory = await mkdtemp(join(tmpdir(), "keywright-bench-"))
  const socket = join(directory, "redis.sock")
  const options = ["--port", "0", "--unixsocket", socket, "--dir", directory, "--save", ""]
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] })
  process.on("exit", () => server.kill("SIGKILL"))
  for await (const line of server.stdout) if (String(line).includes("ready to accept")) break
  server.stdout.resume()
  const pipe = spawn("redis-cli", ["-s", socket, "--pipe"], { stdio: ["pipe", "ignore", "inherit"] })
  const filled = once(pipe, "exit")
  await pipeline(Readable.from(data), pipe.stdin)
  await filled
  return {
    socket,
    url: `unix://${socket}`,
    rdb: join(directory, "dump.rdb"),
    async cli(...args) {
      const started = performance.now()
      const cli = spawn("redis-cli", ["-s", socket, ...args], { stdio: ["ignore", "ignore", "inherit"] })
      await once(cli, "exit")
      return performance.now() - started
    },
    async stop() {
      const exited = once(server, "exit")
      server.kill()
      await exited
      await rm(directory, { recursive: true })
    },
  }
}
