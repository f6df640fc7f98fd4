/* The drivers that the fault suites run over, and the one count that all of them
 * are held to: what was reported done was done, nothing was done twice, and only
 * calls whose outcome is unknown may have been done or not. */

import { Redis } from "ioredis"
import { Redis as Redis5 } from "ioredis-5"
import { createClient, createClientPool } from "redis"
import { createClient as createClient5 } from "redis-5"
import { expect } from "vitest"
import { isFull } from "../../../../test/full.ts"
import { NotApplied, OutcomeUnknown } from "../errors/outcome.ts"
import type { Driver } from "./driver.ts"
import { findDriver } from "./find-driver.ts"
import { openResp } from "./resp/open-resp.ts"
import { quiet } from "../../../../test/quiet-client.ts"

export interface Subject {
  readonly driver: Driver
  /** Closes the driver, and the client that its owner would close. */
  close(): Promise<void>
}

async function nodeRedis(client: { connect(): Promise<unknown>; destroy(): void }): Promise<Subject> {
  await client.connect()
  const driver = findDriver({ client })
  return {
    driver,
    close: async () => {
      await driver.close()
      client.destroy()
    },
  }
}

function ioredis(client: { disconnect(): void }): Subject {
  const driver = findDriver({ client })
  return {
    driver,
    close: async () => {
      await driver.close()
      client.disconnect()
    },
  }
}

function own(driver: Driver): Subject {
  return { driver, close: () => driver.close() }
}

/** Reconnects soon, so that the suites take seconds; all else is as the libraries come. */
const soon = { reconnectStrategy: () => 20 }
const retryStrategy = () => 20

type Make = (port: number) => Subject | Promise<Subject>

const newest: Readonly<Record<string, Make>> = {
  "own connection, RESP3": (port) => own(openResp(`redis://127.0.0.1:${port}`)),
  "node-redis 6": (port) => nodeRedis(quiet(createClient({ socket: { port, host: "127.0.0.1", ...soon } }))),
  "ioredis 6": (port) => ioredis(quiet(new Redis({ port, retryStrategy }))),
}

/** The pool of node-redis 5 is not among them: it loses clients by itself, and ends the process with its own error. */
const others: Readonly<Record<string, Make>> = {
  "node-redis 6, pool": (port) => nodeRedis(quiet(createClientPool({ socket: { port, host: "127.0.0.1", ...soon } }))),
  "own connection, RESP2": (port) => own(openResp(`redis://127.0.0.1:${port}`, { protocol: 2 })),
  "node-redis 5": (port) => nodeRedis(quiet(createClient5({ socket: { port, host: "127.0.0.1", ...soon } }))),
  "ioredis 5": (port) => ioredis(quiet(new Redis5({ port, retryStrategy }))),
  "ioredis 6, without resending": (port) =>
    ioredis(quiet(new Redis({ port, retryStrategy, autoResendUnfulfilledCommands: false }))),
}

/** All of them in the full run. */
export const SUBJECTS = isFull ? { ...newest, ...others } : newest

export interface Tally {
  done: number
  unknown: number
  notApplied: number
}

/** Waits for all, and counts what became of them. Anything but the documented outcomes fails the test. */
export async function tally(calls: readonly Promise<unknown>[]): Promise<Tally> {
  const count: Tally = { done: 0, unknown: 0, notApplied: 0 }
  for (const result of await Promise.allSettled(calls)) {
    if (result.status === "fulfilled") count.done++
    else if (result.reason instanceof NotApplied) count.notApplied++
    else if (result.reason instanceof OutcomeUnknown) count.unknown++
    else throw result.reason
  }
  return count
}

/** `value` increments were found on the server. */
export function expectOnce(value: number, { done, unknown }: Tally): void {
  expect(value).toBeGreaterThanOrEqual(done)
  expect(value).toBeLessThanOrEqual(done + unknown)
}

export function add(sum: Tally, more: Tally): Tally {
  return {
    done: sum.done + more.done,
    unknown: sum.unknown + more.unknown,
    notApplied: sum.notApplied + more.notApplied,
  }
}

export const NONE: Tally = { done: 0, unknown: 0, notApplied: 0 }
