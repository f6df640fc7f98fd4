/* MULTI, its commands and EXEC cannot be taken back once the first of them is queued, and before it is ready ioredis
 * writes MULTI and EXEC at once, but keeps what is between them. So they wait outside of the client. So does any call
 * that ioredis would keep until it is connected, long after the call was given up. */

import { notSent } from "../../errors/driver.ts"
import type { Cancel } from "./cancel.ts"

interface Connecting {
  /** node-redis */
  readonly isReady?: boolean
  /** ioredis */
  readonly status?: string
  on(event: string, listener: () => void): unknown
  off(event: string, listener: () => void): unknown
}

/** One for each client, however many calls wait for it: an emitter warns of many listeners. */
const changes = new WeakMap<Connecting, Promise<void>>()

export async function untilReady(client: Connecting, signal: Cancel, command: string, label: string): Promise<void> {
  while (!signal.aborted && client.status !== "end") {
    if (client.isReady === true || client.status === "ready") return
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", resolve)
      void changeOf(client).then(() => {
        signal.removeEventListener("abort", resolve)
        resolve()
      })
    })
  }
  throw notSent(command, label, signal.reason ?? new Error("the client is closed"))
}

/** Resolves when the client has connected, or was closed. */
function changeOf(client: Connecting): Promise<void> {
  let change = changes.get(client)
  if (change === undefined) {
    change = new Promise((resolve) => {
      const changed = () => {
        for (const event of ["ready", "end"]) client.off(event, changed)
        changes.delete(client)
        resolve()
      }
      for (const event of ["ready", "end"]) client.on(event, changed)
    })
    changes.set(client, change)
  }
  return change
}
