/* A pause of all writes on a server, or on every primary of a cluster: readers continue, and
 * writers wait. The server ends it by itself when its time is over, so that a program that
 * died does not leave it behind. */

import { copyFromReplica } from "../../errors/change.ts"
import type { Driver } from "../../driver/driver.ts"

export interface Pause {
  /** Whether writers still wait, by the clock, counted from before it was asked for. */
  readonly holds: () => boolean
  end(): Promise<void>
}

/** Part of the time that is not relied on, because clocks do not run at the same speed. */
const MARGIN = 0.05

/** A replica does not hold those who write to its primary. */
export async function requirePrimaries(driver: Driver): Promise<void> {
  for (const node of await driver.primaries()) {
    const [role] = (await node.send(["ROLE"], { safe: true })) as unknown[]
    if (role === "slave") throw copyFromReplica(node.label)
  }
}

export async function pauseWrites(driver: Driver, ms: number): Promise<Pause> {
  const nodes = await driver.primaries()
  const until = performance.now() + ms * (1 - MARGIN)
  const pause = { holds: () => performance.now() < until, end }
  async function end(): Promise<void> {
    await Promise.all(nodes.map((node) => node.send(["CLIENT", "UNPAUSE"])))
  }
  try {
    await Promise.all(nodes.map((node) => node.send(["CLIENT", "PAUSE", String(ms), "WRITE"])))
  } catch (error) {
    await end().catch(() => undefined) // What ended the pause is the error that counts.
    throw error
  }
  return pause
}
