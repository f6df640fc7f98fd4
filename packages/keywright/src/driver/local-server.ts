/* "local:": a valkey-server or redis-server on this machine, started for this program
 * alone.
 *
 * Nobody else gets in: it has no port, only a unix socket in a folder that only its owner
 * can access (0700). It keeps nothing: no snapshots, no append-only file. And it stops
 * when the program ends, in whatever way: a shell between the two waits for the end of
 * its standard input, which the system closes even after kill -9, and then ends the
 * server and removes the folder. */

import { type ChildProcess, spawn } from "node:child_process"
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import path from "node:path"
import { localServerFailed } from "../errors/driver.ts"
import type { Transport } from "./driver.ts"
import type { EngineLike } from "./embedded.ts"
import { dialSocket } from "./resp/dial.ts"

const PROGRAMS = ["valkey-server", "redis-server"]
const START_MS = 10_000

/** $1 is the folder, the rest the server's command line. */
const KEEPER = `
folder=$1; shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
(cat <&3 >/dev/null; kill "$server"; sleep 10; kill -9 "$server") 2>/dev/null &
watching=$!
wait "$server"
kill "$watching" 2>/dev/null
rm -rf "$folder"
`

/** What an engine offers besides its connections; the embedded one has a clock too. */
export interface LocalServer extends EngineLike {
  /** `"unix:///tmp/keywright-local-x/server.sock"` */
  readonly url: string
  /** `"valkey-server"` */
  readonly program: string
  connect(): Promise<Transport>
  /** Removes all data: FLUSHALL and FUNCTION FLUSH. */
  flush(): Promise<void>
  /** Ends it, and removes its folder. */
  stop(): Promise<void>
}

/** The first server program on the path. None on Windows, where there are no unix sockets to keep others out. */
export function findServerProgram(folders = process.env["PATH"] ?? ""): string | undefined {
  if (process.platform === "win32") return undefined
  const candidates = PROGRAMS.flatMap((name) => folders.split(path.delimiter).map((folder) => path.join(folder, name)))
  return candidates.find((file) => path.isAbsolute(file) && isExecutable(file))
}

export async function startLocalServer(file: string): Promise<LocalServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "keywright-local-"))
  const socket = path.join(folder, "server.sock")
  const settings = ["--port", "0", "--unixsocket", socket, "--unixsocketperm", "700", "--dir", folder]
  const keepNothing = ["--save", "", "--appendonly", "no", "--daemonize", "no", "--logfile", ""]
  const keeper = spawn("sh", ["-c", KEEPER, "sh", folder, file, ...settings, ...keepNothing], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
    cwd: folder,
  })
  const said = listen(keeper)
  unrefAll(keeper)
  const dial = dialSocket({ host: "", port: 0, path: socket, tls: false })
  const server: LocalServer = {
    url: `unix://${socket}`,
    program: path.basename(file),
    connect: () => dial(AbortSignal.timeout(START_MS)),
    flush: async () => {
      await askAll(socket, ["FLUSHALL", "FUNCTION FLUSH"])
    },
    stop: () => end(keeper, folder),
  }
  try {
    await untilItAnswers(socket, keeper)
    return server
  } catch (error) {
    await server.stop()
    throw localServerFailed(file, said(), error)
  }
}

function end(keeper: ChildProcess, folder: string): Promise<void> {
  if (keeper.exitCode !== null || keeper.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    keeper.ref()
    keeper.once("exit", () => {
      rmSync(folder, { recursive: true, force: true })
      resolve()
    })
    keeper.stdin?.end()
  })
}

/** The last of what it printed. */
function listen(keeper: ChildProcess): () => string {
  let text = ""
  const take = (bytes: Buffer) => (text = (text + bytes.toString()).slice(-2000))
  keeper.stdout?.on("data", take)
  keeper.stderr?.on("data", take)
  keeper.on("error", (error) => (text += error.message))
  keeper.stdin?.on("error", () => {})
  return () => text
}

/** It must not keep the program alive. */
function unrefAll(keeper: ChildProcess): void {
  keeper.unref()
  for (const pipe of [keeper.stdin, keeper.stdout, keeper.stderr]) (pipe as unknown as Socket | null)?.unref()
}

async function untilItAnswers(socket: string, keeper: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS
  let failure: unknown
  while (Date.now() < deadline && keeper.exitCode === null && keeper.pid !== undefined) {
    try {
      await askAll(socket, ["PING"])
      return
    } catch (error) {
      failure = error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  throw failure
}

/** Sends inline commands on a separate connection and waits for a one-line reply to each. */
function askAll(path: string, commands: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path }, () => socket.write(commands.map((command) => `${command}\r\n`).join("")))
    let text = ""
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1")
      const replies = text.split("\r\n").slice(0, -1)
      const refused = replies.find((reply) => reply.startsWith("-"))
      if (refused === undefined && replies.length < commands.length) return
      socket.destroy()
      if (refused === undefined) resolve()
      else reject(new Error(refused.slice(1)))
    })
    socket.once("error", reject)
    socket.once("close", () => reject(new Error("the server closed the connection")))
  })
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
