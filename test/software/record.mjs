/* Records what other people's programs write: `node test/software/record.mjs [program …]`. They are installed into a
 * temporary folder and run on a server of their own, first a usual day, then traffic of another kind; what is on the
 * server after each becomes `recorded/<program>.json`: commands that write it again. */

import { execFileSync, spawn } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createClient } from "redis"
import { debianPackages, npmPackages, programs } from "./programs.mjs"

const here = fileURLToPath(new URL(".", import.meta.url))

/** Installs what the programs of this kind need, and returns where. */
export function install(kind, folder = mkdtempSync(join(tmpdir(), "keywright-software-"))) {
  if (kind === "node") {
    writeFileSync(join(folder, "package.json"), "{}")
    execFileSync(
      "npm",
      ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", ...npmPackages],
      { cwd: folder },
    )
    return folder
  }
  execFileSync("apt-get", ["download", ...debianPackages], { cwd: folder, stdio: "pipe" })
  execFileSync("sh", ["-c", 'for one in *.deb; do dpkg -x "$one" .; done'], { cwd: folder })
  return folder
}

/** Runs one phase of a program on a server, from that folder: programs keep in Redis where they failed. */
export async function run(program, folder, url, phase) {
  const { kind } = programs[program]
  const script = join(folder, kind === "node" ? "node-programs.mjs" : "python-programs.py")
  copyFileSync(join(here, kind === "node" ? "node-programs.mjs" : "python-programs.py"), script)
  const [command, args, env] =
    kind === "node"
      ? [process.execPath, [script, folder, program, url, phase], {}]
      : [
          "/usr/bin/python3",
          [script, program, url, phase],
          { PYTHONPATH: join(folder, "usr/lib/python3/dist-packages") },
        ]
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } })
  let errors = ""
  child.stderr.on("data", (chunk) => (errors += chunk))
  const code = await new Promise((resolve) => child.once("close", resolve))
  if (code !== 0) throw new Error(`${program} ${phase}: ${errors.slice(-2000)}`)
}

const word = (bytes) => {
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString("base64") }
}

/** Every key as the commands that write it. */
async function dump(client) {
  const send = (...args) => client.sendCommand(args)
  const found = {}
  const keys = (await send("KEYS", "*")).sort(Buffer.compare)
  for (const key of keys) {
    const type = String(await send("TYPE", key))
    const read = {
      string: async () => ["SET", key, await send("GET", key)],
      hash: async () => ["HSET", key, ...(await send("HGETALL", key))],
      list: async () => ["RPUSH", key, ...(await send("LRANGE", key, "0", "-1"))],
      set: async () => ["SADD", key, ...(await send("SMEMBERS", key)).sort(Buffer.compare)],
      zset: async () => {
        const flat = await send("ZRANGE", key, "0", "-1", "WITHSCORES")
        return [
          "ZADD",
          key,
          ...Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i + 1], flat[2 * i]]).flat(),
        ]
      },
      stream: async () => [await send("XRANGE", key, "-", "+")],
    }[type]
    const value = await read()
    const commands = type === "stream" ? value[0].map(([id, fields]) => ["XADD", key, id, ...fields]) : [value]
    const ttl = Number(await send("PTTL", key))
    if (ttl > 0) commands.push(["PEXPIRE", key, String(ttl)])
    found[key.toString("base64")] = commands.map((one) => one.map((part) => word(Buffer.from(part))))
  }
  return found
}

async function record(program, folder) {
  const directory = mkdtempSync(join(tmpdir(), "keywright-record-"))
  const port = 17_000 + Math.floor(Math.random() * 2000)
  const server = spawn("redis-server", ["--port", String(port), "--save", "", "--dir", directory], { stdio: "ignore" })
  const url = `redis://127.0.0.1:${port}`
  const client = createClient({ url, RESP: 2 }).withTypeMapping({ 36: Buffer, 43: Buffer })
  client.on("error", () => undefined)
  try {
    await client.connect()
    await run(program, folder, url, "first")
    const first = await dump(client)
    await run(program, folder, url, "later")
    const later = await dump(client)
    const changed = Object.entries(later).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(first[key]))
    const gone = Object.keys(first).filter((key) => !(key in later))
    const lines = (commands) => commands.map((one) => `    ${JSON.stringify(one)}`).join(",\n")
    const replaced = [...gone, ...changed.map(([key]) => key)].filter((key) => key in first)
    const deleted = replaced.map((key) => ["DEL", word(Buffer.from(key, "base64"))])
    const text = `{\n  "first": [\n${lines(Object.values(first).flat())}\n  ],\n  "later": [\n${lines([...deleted, ...changed.flatMap(([, value]) => value)])}\n  ]\n}\n`
    writeFileSync(join(here, "recorded", `${program}.json`), text)
    process.stdout.write(`${program}: ${Object.keys(first).length} keys, then ${Object.keys(later).length}\n`)
  } finally {
    client.destroy()
    server.kill()
    await new Promise((resolve) => server.once("close", resolve))
    rmSync(directory, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(programs)
  const folders = new Map()
  try {
    for (const program of wanted) {
      const { kind } = programs[program]
      if (!folders.has(kind)) folders.set(kind, install(kind))
      await record(program, folders.get(kind))
    }
  } finally {
    for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true })
  }
}
