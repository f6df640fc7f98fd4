/* How long a PING takes for somebody else, while something else is running. */

import { Worker } from "node:worker_threads"
import { quantile } from "../harness-stats.ts"

/* A thread of its own, so that what is measured is the server's delay and not that of
 * the busy event loop; plain net, so that nothing has to be built for it. */
const source = `
const { workerData, parentPort } = require("node:worker_threads")
const net = require("node:net")
const socket = net.connect(workerData)
const took = []
let started = 0
const ask = () => { started = performance.now(); socket.write("PING\\r\\n") }
socket.on("connect", ask)
socket.on("data", () => { took.push(performance.now() - started); setTimeout(ask, 1) })
parentPort.on("message", () => { parentPort.postMessage(took); socket.destroy(); parentPort.close() })
`

/** The 99th percentile of PINGs one after another, in milliseconds. */
export async function pinging(socket: string, work: () => Promise<unknown>): Promise<number> {
  const worker = new Worker(source, { eval: true, workerData: socket })
  await new Promise((resolve) => worker.once("online", resolve))
  await work()
  const took = await new Promise<number[]>((resolve) => {
    worker.once("message", resolve)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage("enough")
  })
  await worker.terminate()
  return quantile(took, 0.99)
}
