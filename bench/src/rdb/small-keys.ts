/* A file of small keys of the common kinds, as redis-server writes it. */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

/* Fills a redis-server with keys of the common kinds, has it save them, and ends it. */
export async function smallKeys(keys: number) {
  const directory = await mkdtemp(join(tmpdir(), "keywright-bench-"))
  const socket = join(directory, "redis.sock")
  const options = ["--port", "0", "--unixsocket", socket, "--dir", directory, "--save", ""]
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] })
  for await (const line of server.stdout) if (String(line).includes("ready to accept")) break
  const cli = spawn("redis-cli", ["-s", socket, "--pipe"], { stdio: ["pipe", "ignore", "inherit"] })
  const done = once(cli, "exit")
  await pipeline(Readable.from(commands(keys)), cli.stdin)
  await done
  const exited = once(server, "exit")
  server.kill()
  await exited
  return { file: join(directory, "dump.rdb"), remove: () => rm(directory, { recursive: true }) }
}

function* commands(keys: number): Generator<string> {
  for (let at = 0; at < keys; at += 1000) {
    let text = ""
    for (let index = at; index < at + 1000; index++) text += command(index)
    yield text
  }
  yield resp(["SAVE"])
}

function command(index: number): string {
  const kind = index % 10
  const token = ((index * 2654435761) >>> 0).toString(16)
  if (kind < 4)
    return resp(["SET", `session:${token}`, `{"user":${index},"name":"user ${index}"}`, "EX", `${3600 + kind}`])
  if (kind < 5) return resp(["SET", `counter:${index}`, `${index}`])
  if (kind < 7)
    return resp(["HSET", `user:${index}`, "name", `user ${index}`, "email", `u${index}@example.com`, "age", "42"])
  if (kind < 8)
    return resp(["ZADD", `viewed:${token}`, `${1_700_000_000 + index}`, "item:1", `${index}.5`, `item:${index}`])
  if (kind < 9) return resp(["SADD", `tags:${index}`, `${index}`, `${index + 1}`, `${index + 2}`])
  return resp(["RPUSH", `recent:${index}`, "first", "second", `${index}`])
}

function resp(args: readonly string[]): string {
  return `*${args.length}\r\n${args.map((arg) => `$${arg.length}\r\n${arg}\r\n`).join("")}`
}
