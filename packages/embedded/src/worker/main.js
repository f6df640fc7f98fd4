/* The worker: one server, its loopback port, its in-process channels and its
 * saves. It is written in plain JavaScript, with types in comments, because Node
 * 20 cannot start a worker from a TypeScript file, and tests run the sources. */

import { parentPort, workerData } from "node:worker_threads"
import { signal } from "../signals.js"
import { Admin } from "./admin.js"
import { Channels } from "./channels.js"
import { Clock } from "./clock.js"
import { filesIn, filesInMemory } from "./files.js"
import { forward } from "./forward.js"
import { Log } from "./log.js"
import { Server } from "./server.js"
import { listen } from "./tcp.js"
import { Exit } from "./wasi.js"

/** @import { MessagePort } from "node:worker_threads" */
/** @import { CallMessage, FromWorker, ToWorker, WorkerSetup } from "../protocol.ts" */

/** Commands that cannot work without fork() or a second server. Valkey would answer "ERR", or "OK". */
const IMPOSSIBLE = ["bgsave", "bgrewriteaof", "replicaof", "slaveof", "sync", "psync", "failover"]

const setup = /** @type {WorkerSetup} */ (workerData)
const parent = /** @type {MessagePort} */ (parentPort)

/** @param {FromWorker} message @param {ArrayBuffer[]} [transfer] */
const post = (message, transfer) => parent.postMessage(message, transfer)

const log = new Log(setup.log ? (line) => post({ kind: "log", line }) : undefined)
const clock = new Clock(setup.clock)
const files = setup.directory
  ? filesIn(setup.directory)
  : filesInMemory(setup.snapshot, (bytes) => post({ kind: "snapshot", bytes }, [bytes.buffer]))

/** @param {unknown} error */
function die(error) {
  const how = error instanceof Exit ? "exit" : "trap"
  post({ kind: "ended", how, what: error instanceof Error ? error.message : String(error), log: log.tail })
}

function start() {
  const server = new Server(setup.module, { clock, files, log: log.write, signals: setup.signals })
  const admin = new Admin(server)
  const channels = new Channels(server, post)
  server.boot()
  server.onIdle = () => channels.flush()
  server.onDeath = die
  configure(admin)
  serve(server, admin, channels)
}

/** What cannot be given to the server at its start. The last two cost a tenth each: fetching keys
 * ahead into the processor's cache, which WebAssembly cannot do, and histograms of latencies.
 * @param {Admin} admin */
function configure(admin) {
  admin.ask(["CLIENT", "SETNAME", "keywright-engine"])
  admin.ask(["ACL", "SETUSER", "default", ...IMPOSSIBLE.map((name) => `-${name}`)])
  admin.ask(["CONFIG", "SET", "stop-writes-on-bgsave-error", "no"])
  admin.ask(["CONFIG", "SET", "prefetch-batch-max-size", "0"])
  admin.ask(["CONFIG", "SET", "latency-tracking", "no"])
}

/** @param {Server} server @param {Admin} admin @param {Channels} channels */
function serve(server, admin, channels) {
  const save = () => {
    if (server.dead) return
    const changes = /rdb_changes_since_last_save:(\d+)/.exec(String(admin.ask(["INFO", "persistence"])))
    if (changes?.[1] !== "0") admin.ask(["SAVE"])
  }
  const saveQuietly = () => {
    try {
      save()
    } catch (error) {
      post({ kind: "unsaved", failure: String(error), log: log.tail })
    }
  }
  if (setup.directory) setInterval(saveQuietly, setup.saveEveryMs)
  setInterval(() => clock.settle(), 1000)

  const methods = {
    /** @param {number} ms */
    forward: (ms) => forward(admin, clock, ms),
    flush: () => void admin.send([["FLUSHALL"], ["FUNCTION", "FLUSH"]]),
    save: () => void admin.ask(["SAVE"]),
    stop: () => {
      if (setup.directory) save()
      server.halt()
    },
  }
  /** @param {CallMessage} message */
  const call = ({ id, method, ms }) => {
    server.step()
    try {
      methods[method](ms)
      server.step()
      post({ kind: "returned", id })
    } catch (error) {
      post({ kind: "returned", id, failure: error instanceof Error ? error.message : String(error), log: log.tail })
    }
    Atomics.store(setup.signals, signal.returned, id)
    Atomics.notify(setup.signals, signal.returned)
  }
  parent.on("message", (/** @type {ToWorker} */ message) => {
    if (message.kind === "data") channels.receive(message)
    else call(message)
  })

  if (setup.port === undefined) return post({ kind: "ready", port: undefined })
  listen(server, setup.port, setup.replacement).then(
    ({ port }) => post({ kind: "ready", port }),
    (error) => post({ kind: "ended", how: "listen", what: error.message, log: log.tail }),
  )
}

try {
  start()
} catch (error) {
  die(error)
}
