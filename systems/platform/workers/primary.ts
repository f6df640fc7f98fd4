/* `--workers n`: this process serves nothing itself. It owns what all workers share (the embedded
 * engine and the SQLite file, where no addresses are given, and secrets that are made at random),
 * starts the workers, starts another one for each that dies, and ends with the last of them.
 *
 * The first worker has the jobs: they run once, however many workers there are. */

import { start as startEngine } from "@keywright/embedded"
import { connect, keyspace } from "keywright"
import cluster, { type Worker } from "node:cluster"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Log } from "../log.ts"
import type { ServePlan } from "../options.ts"
import { variableOf } from "../settings.ts"
import { exchange } from "./team-exchange.ts"
import { closeWhatIsLost } from "./handed-over.ts"
import type { Handover } from "./handover.ts"
import type { WorkerLine, TeamMessage } from "./team.ts"

export interface Primary {
  readonly url: string
  close(): Promise<void>
}

/** A worker that dies sooner than this is not started again at once. */
const SOON_MS = 1000

/** `onEnded`: workers could not start, or have all ended, and have said why; with the exit status of the last. */
export async function startPrimary(plan: ServePlan, log: Log, onEnded: (code: number) => never): Promise<Primary> {
  const open: (() => Promise<unknown>)[] = []
  const shared = await sharedOf(plan, log, open)
  const between = exchange()
  const alive = new Map<number, Worker>()
  let isEnding = false
  let url: string | undefined

  cluster.setupPrimary({ silent: true })
  const begin = (index: number): Promise<string> =>
    new Promise((resolve) => {
      const began = performance.now()
      const { env, ...common } = shared
      const handover: Handover = { ...common, index, isNew: index === 0 && url === undefined, size: plan.workers }
      const worker = cluster.fork({ ...env, KEYWRIGHT_WORKER: JSON.stringify(handover) })
      alive.set(index, worker)
      closeWhatIsLost(worker)
      log.info("a worker starts", { worker: index, pid: worker.process.pid })
      for (const stream of ["stdout", "stderr"] as const) wholeLines(worker, stream)
      const leave = between.add(lineTo(worker))
      worker.on("message", (message: { ready?: string }) => message.ready !== undefined && resolve(message.ready))
      worker.on("exit", (code, signal) => {
        leave()
        alive.delete(index)
        if (isEnding) return
        // A free port that was picked is theirs only while one of them has it.
        if (url === undefined || (plan.port === 0 && alive.size === 0)) onEnded(code ?? 1)
        log.error("a worker ended; another one is started", { worker: index, code, signal })
        setTimeout(() => isEnding || void begin(index), performance.now() - began < SOON_MS ? SOON_MS : 0)
      })
    })

  // One first: it makes the tables, and finds out what the others would, too.
  const first = await begin(0)
  await Promise.all(Array.from({ length: plan.workers - 1 }, (_, i) => begin(i + 1)))
  url = first
  return {
    url,
    async close() {
      isEnding = true
      await Promise.all([...alive.values()].map(ended))
      for (const end of open.toReversed()) await end()
    },
  }
}

/** What workers could not each have for themselves. */
async function sharedOf(plan: ServePlan, log: Log, open: (() => Promise<unknown>)[]) {
  const env: Record<string, string> = {}
  for (const { name, settings } of plan.systems) {
    for (const [setting, { generated }] of Object.entries(settings)) {
      if (!generated || plan.settings[name]?.[setting] !== undefined) continue
      env[variableOf(`${name}.${setting}`)] = randomBytes(32).toString("base64url")
      log.warn(`no ${name}.${setting}: a random one was generated, so all logins end with this process`)
    }
  }
  return {
    env,
    redis: plan.redis ?? (await ownEngine(open)),
    database: plan.database ?? (await ownFile(open)),
    aheadMs: plan.clock === undefined ? 0 : plan.clock.getTime() - Date.now(),
  }
}

/** On a port of this machine, so with a password: others are on this machine, too. */
async function ownEngine(open: (() => Promise<unknown>)[]): Promise<string> {
  const engine = await startEngine({ port: 0 })
  open.push(() => engine.stop())
  const password = randomBytes(24).toString("base64url")
  const db = await connect(keyspace({}), { engine })
  await db.$driver().send(["CONFIG", "SET", "requirepass", password])
  await db.$close()
  return `redis://:${password}@127.0.0.1:${engine.port}`
}

async function ownFile(open: (() => Promise<unknown>)[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "keywright-source-"))
  open.push(() => rm(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, "source.db")}`
}

const lineTo = (worker: Worker): WorkerLine => ({
  send: (message) => void (worker.isConnected() && worker.send(message)),
  receive: (listener) => void worker.on("message", (message: TeamMessage) => listener(message)),
})

/** Lines of several processes do not mix. */
function wholeLines(worker: Worker, name: "stdout" | "stderr"): void {
  let rest = ""
  worker.process[name]!.setEncoding("utf8").on("data", (text: string) => {
    const end = (rest += text).lastIndexOf("\n") + 1
    if (end > 0) process[name].write(rest.slice(0, end))
    rest = rest.slice(end)
  })
}

const ended = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    if (worker.isDead()) return resolve()
    worker.once("exit", () => resolve())
    worker.process.kill("SIGTERM")
  })
