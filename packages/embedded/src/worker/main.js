/* The worker: one server after another, and the loopback port that outlives them.
 * It is written in plain JavaScript, with types in comments, because Node 20 cannot
 * start a worker from a TypeScript file, and tests run the sources. */

import { parentPort, workerData } from "node:worker_threads"
import { Life } from "./life.js"
import { TcpPort } from "./tcp.js"

/** @import { MessagePort } from "node:worker_threads" */
/** @import { FromWorker, ThreadSetup, ToWorker } from "../protocol.ts" */

const setup = /** @type {ThreadSetup} */ (workerData)
const parent = /** @type {MessagePort} */ (parentPort)

/** @param {FromWorker} message @param {ArrayBuffer[]} [transfer] */
const post = (message, transfer) => parent.postMessage(message, transfer)

/** @type {Life | undefined} */
let life

/** @param {ToWorker} message @param {TcpPort | undefined} tcp @param {number | undefined} port */
function take(message, tcp, port) {
  if (message.kind !== "boot") {
    if (life?.number === message.life) life.take(message)
    return
  }
  life?.halt()
  tcp?.cut()
  life = new Life(setup, message, { tcp, port, parent, post })
}

async function main() {
  const tcp = setup.port === undefined ? undefined : new TcpPort()
  const port = await tcp?.listen(setup.port ?? 0, setup.replacement)
  post({ kind: "listening", port })
  parent.on("message", (/** @type {ToWorker} */ message) => take(message, tcp, port))
}

main().catch((error) => post({ kind: "refused", what: error.message }))
