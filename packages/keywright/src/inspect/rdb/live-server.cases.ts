/* A redis-server of the test's own, on a unix socket, and a keyspace that makes
 * it use every type, number range and encoding. */

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient, type RedisClientOptions, RESP_TYPES } from "redis"

export type Reply = Buffer | number | null | Reply[]
export type Send = (...args: (string | Buffer | number)[]) => Promise<Reply>

export async function connect(options: RedisClientOptions) {
  const client = createClient({ ...options, RESP: 2 }).withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
  await client.connect()
  const send: Send = (...args) =>
    client.sendCommand(args.map((arg) => (typeof arg === "number" ? String(arg) : arg))) as Promise<Reply>
  return { send, close: () => client.destroy() }
}

export async function startRedis() {
  const directory = await mkdtemp(join(tmpdir(), "keywright-rdb-"))
  const socket = join(directory, "redis.sock")
  const options = ["--port", "0", "--unixsocket", socket, "--dir", directory, "--save", "", "--appendonly", "no"]
  const server = spawn("redis-server", [...options, "--enable-debug-command", "yes"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  for await (const line of server.stdout) if (String(line).includes("ready to accept")) break
  server.stdout.resume()
  const client = await connect({ socket: { path: socket, tls: false } })
  return {
    send: client.send,
    file: join(directory, "dump.rdb"),
    async stop() {
      client.close()
      const exited = once(server, "exit")
      server.kill()
      await exited
      await rm(directory, { recursive: true })
    },
  }
}

const integers = [
  0, 7, 127, 128, -1, -128, -129, 4095, 4096, -4096, -4097, 32767, 32768, -32769, 8388607, 8388608, 2147483647,
]
const wide = ["2147483648", "-2147483648", "-2147483649", "9223372036854775807", "-9223372036854775808", "007", "1.50"]
const texts = ["", "a", "x".repeat(63), "x".repeat(64), "y".repeat(4095), "ab".repeat(2500), "z".repeat(20_000)]
const noise = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * index * 31 + index * 7) & 255))
const scores = [
  "0",
  "1",
  "-1",
  "4096",
  "1.5",
  "-0.1",
  "1e300",
  "-1e-300",
  "inf",
  "-inf",
  "3.0000000000000004",
  "9007199254740992",
]

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Fills three databases. Every command is valid on Redis 7.0 and on Valkey. */
export async function fill(send: Send): Promise<void> {
  const all = [...integers.map(String), ...wide, ...texts]
  const work: Promise<Reply>[] = []
  const add = (...args: Parameters<Send>) => void work.push(send(...args))
  for (const db of [0, 1, 5]) {
    add("SELECT", db)
    for (const [index, text] of [...all, noise].entries()) add("SET", `string:${index}`, text)
    for (const key of ["", "12345", "-7", "2147483648", "k".repeat(100), noise, "ключ:ü"]) add("SET", key, "by key")
    add("SET", "expires", "soon", "PXAT", 4_000_000_000_123)
    add("SET", "expires:far", "later", "PXAT", 8_000_000_000_000_123)
    add("RPUSH", "list:small", ...integers, ...wide)
    add("RPUSH", "list:texts", ...all, noise)
    add("RPUSH", "list:long", ...range(3000))
    add("SADD", "set:int16", ...range(20))
    add("SADD", "set:int32", 1, 70_000, -70_000)
    add("SADD", "set:int64", 1, ...wide.slice(0, 5))
    add("SADD", "set:small", "a", "b", "17", "1.5")
    add("SADD", "set:texts", ...all)
    add("SADD", "set:long", ...range(1500).map((index) => `member ${index}`))
    add("ZADD", "zset:small", ...scores.flatMap((score, index) => [score, `m${index}`]))
    add("ZADD", "zset:texts", ...all.flatMap((text, index) => [index / 3, text]))
    add("ZADD", "zset:long", ...range(700).flatMap((index) => [index * 1.1, `m${index}`]))
    add("HSET", "hash:small", "name", "Ada", "age", 36, "17", "-5", "empty", "")
    add("HSET", "hash:texts", ...all.flatMap((text, index) => [`f${index}`, text]))
    add("HSET", "hash:long", ...range(900).flatMap((index) => [`f${index}`, index * 1_000_003]))
    add("PEXPIREAT", "hash:small", 4_000_000_000_456)
    add("PFADD", "hyperloglog", ...range(500))
    add("SETBIT", "bitmap", 9000, 1)
    add("GEOADD", "geo", 13.361389, 38.115556, "Palermo", 15.087269, 37.502669, "Catania")
    for (const index of range(300)) add("XADD", "stream", `${index + 1}-0`, "field", `value ${index}`)
    add("XGROUP", "CREATE", "stream", "g1", "0")
    add("XGROUP", "CREATE", "stream", "g2", "$")
    add("XREADGROUP", "GROUP", "g1", "c1", "COUNT", 20, "STREAMS", "stream", ">")
    add("XREADGROUP", "GROUP", "g1", "c2", "COUNT", 5, "STREAMS", "stream", ">")
    add("XACK", "stream", "g1", "1-0", "2-0")
    add("XDEL", "stream", "3-0", "250-0")
    add("XADD", "stream:empty", "1-0", "f", "v")
    add("XTRIM", "stream:empty", "MAXLEN", 0)
  }
  add(
    "FUNCTION",
    "LOAD",
    "REPLACE",
    "#!lua name=keywrighttest\nredis.register_function('hello', function() return 1 end)",
  )
  await Promise.all(work)
}
