/* A real redis-server for tests: on a free port and in its own directory, both kept over
 * restarts, gone at the end. Ask needs("redis-server") first. */

import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import net from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"

export interface RedisOptions {
  /** More of the command line: `["--appendonly", "yes", "--appendfsync", "always"]`. */
  readonly args?: readonly string[]
  /** Default: a free one. */
  readonly port?: number
  /** The text of a configuration file, which the server may rewrite: sentinels need one. */
  readonly config?: string
  /** Also listens on a unix socket in its directory. */
  readonly unixSocket?: boolean
  /** Default: redis-server. */
  readonly program?: string
}

export interface RealRedis {
  readonly port: number
  /** `"redis://127.0.0.1:49152"` */
  readonly url: string
  /** Its data directory, temporary. */
  readonly directory: string
  readonly unixSocket: string | undefined
  /** The current process: another one after `restart()`. */
  readonly process: ChildProcess
  /** Ends it, if need be by force, and removes its directory. */
  stop(): Promise<void>
  /** SIGKILL: no goodbye, no save. */
  kill9(): Promise<void>
  /** Starts it again on the same port and directory, ending it first if it still runs. */
  restart(options?: Pick<RedisOptions, "args">): Promise<void>
  /** SIGSTOP: it keeps its connections and answers nothing. */
  pause(): void
  /** SIGCONT. */
  resume(): void
}

export async function startRedis(options: RedisOptions = {}): Promise<RealRedis> {
  const port = options.port ?? (await freePort())
  const directory = mkdtempSync(path.join(tmpdir(), "keywright-redis-"))
  const unixSocket = options.unixSocket ? path.join(directory, "redis.sock") : undefined
  const configFile = path.join(directory, "redis.conf")
  if (options.config !== undefined) writeFileSync(configFile, options.config)
  const file = options.config === undefined ? [] : [configFile]
  let args = options.args ?? []
  let child = await launch()

  async function launch(): Promise<ChildProcess> {
    const base = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", "", "--daemonize", "no"]
    const socket = unixSocket ? ["--unixsocket", unixSocket] : []
    const started = spawn(options.program ?? "redis-server", [...file, ...base, ...socket, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    started.stdout.on("data", (text: Buffer) => (output = (output + text.toString()).slice(-4000)))
    started.stderr.on("data", (text: Buffer) => (output = (output + text.toString()).slice(-4000)))
    guard(started)
    await untilItAnswers(port, started, () => output)
    return started
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const exited = exitOf(child)
    child.kill("SIGCONT")
    child.kill(signal)
    const patience = setTimeout(() => child.kill("SIGKILL"), 5000)
    await exited
    clearTimeout(patience)
  }

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    directory,
    unixSocket,
    get process() {
      return child
    },
    async stop() {
      await end("SIGTERM")
      rmSync(directory, { recursive: true, force: true })
    },
    kill9: () => end("SIGKILL"),
    async restart(again) {
      await end("SIGTERM")
      args = again?.args ?? args
      child = await launch()
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
  }
}

/** A port that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as net.AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Gets the number of each server's process, and "-" before it once that is over. */
let guardian: net.Socket | undefined

/** Ends the servers that are left when this process is gone, however it went: a runner may kill it. One guardian for all:
 * starting a process from one with many modules takes longer than starting a server. */
function guard(server: ChildProcess): void {
  if (server.pid === undefined) return
  guardian ??= startGuardian()
  guardian.write(`${server.pid}\n`)
  server.once("exit", () => guardian?.write(`-${server.pid}\n`))
}

function startGuardian(): net.Socket {
  const forget = 'all="${all%% ${pid#-} *} ${all#* ${pid#-} }"'
  const script = `all=" "; while read pid; do case $pid in -*) ${forget};; *) all="$all$pid "; esac; done; kill -9 $all`
  const child = spawn("sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true })
  child.unref()
  const input = child.stdin as net.Socket
  input.unref()
  input.on("error", () => (guardian = undefined))
  return input
}

function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => child.once("exit", () => resolve()))
}

/** It may still be loading: only PONG counts, or that it asks for a password. */
async function untilItAnswers(port: number, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 30_000
  let failure: Error | undefined
  child.once("error", (error) => (failure = error))
  while (Date.now() < deadline) {
    if (failure) throw failure
    if (child.exitCode !== null) throw new Error(`redis-server ended with status ${child.exitCode}:\n${output()}`)
    if (/^(\+PONG|-NOAUTH)/.test(await ask(port))) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  child.kill("SIGKILL")
  throw new Error(`redis-server did not answer within 30 s:\n${output()}`)
}

function ask(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write("PING\r\n"))
    socket.setTimeout(1000, () => socket.destroy())
    socket.once("data", (bytes) => {
      resolve(bytes.toString())
      socket.destroy()
    })
    socket.once("error", () => resolve(""))
    socket.once("close", () => resolve(""))
  })
}
