/* A PostgreSQL server for tests: a separate cluster in a temporary directory, on a free
 * port, gone at the end. Ask needs("postgresql") first. PostgreSQL refuses to run as
 * root; then it runs as the user `postgres` that its package made. */

import { execFileSync, spawn, type ChildProcess } from "node:child_process"
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import net from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathOf } from "./needs.ts"
import { freePort } from "./real-redis.ts"

export interface RealPostgres {
  /** `"postgres://keywright@127.0.0.1:49152/postgres"` */
  readonly url: string
  /** SIGQUIT: it ends at once, without a goodbye. */
  kill(): Promise<void>
  /** Starts it again on the same port and directory. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startPostgres(): Promise<RealPostgres> {
  const directory = mkdtempSync(path.join(tmpdir(), "keywright-postgres-"))
  const port = await freePort()
  const who = process.getuid?.() === 0 ? userOf("postgres") : undefined
  if (who) chownSync(directory, who.uid, who.gid)
  const bin = path.dirname(realPath(pathOf("postgresql")!))
  const data = path.join(directory, "data")
  const options = { cwd: directory, stdio: "ignore", ...who } as const
  execFileSync(
    path.join(bin, "initdb"),
    ["-D", data, "-U", "keywright", "-A", "trust", "--no-sync", "-E", "UTF8"],
    options,
  )

  let child = await launch()
  async function launch(): Promise<ChildProcess> {
    const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=40"]
    const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]
    const started = spawn(path.join(bin, "postgres"), args, options)
    process.on("exit", () => started.kill("SIGKILL"))
    await untilItListens(port, started)
    return started
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once("exit", resolve))
    child.kill(signal)
    await exited
  }
  return {
    url: `postgres://keywright@127.0.0.1:${port}/postgres`,
    kill: () => end("SIGQUIT"),
    async restart() {
      await end("SIGQUIT")
      child = await launch()
    },
    async stop() {
      await end("SIGQUIT")
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const realPath = (file: string): string => execFileSync("readlink", ["-f", file]).toString().trim()

function userOf(name: string): { uid: number; gid: number } {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`))
  if (line === undefined) throw new Error(`there is no user ${name}, and PostgreSQL does not run as root`)
  const [, , uid, gid] = line.split(":")
  return { uid: Number(uid), gid: Number(gid) }
}

/** It accepts connections before it is ready; a first query that works is what counts, so the port is asked by protocol. */
async function untilItListens(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`postgres ended with status ${child.exitCode}`)
    if (await answers(port)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill("SIGKILL")
  throw new Error("postgres did not answer within 30 s")
}

/** The start of a session: ready servers ask for nothing and answer R (authentication ok). */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      const words = Buffer.from("user\0keywright\0database\0postgres\0\0")
      const head = Buffer.alloc(8)
      head.writeInt32BE(8 + words.length, 0)
      head.writeInt32BE(196_608, 4)
      socket.write(Buffer.concat([head, words]))
    })
    const done = (ready: boolean) => {
      socket.destroy()
      resolve(ready)
    }
    socket.setTimeout(1000, () => done(false))
    socket.once("data", (bytes) => done(bytes.toString("latin1", 0, 1) === "R"))
    socket.once("error", () => done(false))
    socket.once("close", () => done(false))
  })
}
