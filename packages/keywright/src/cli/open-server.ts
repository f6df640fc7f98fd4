/* The server that a command inspects, and the line that says which. */

import { describeTarget } from "../client/target.ts"
import type { Driver } from "../driver/driver.ts"
import { openServer, TOOL_REPLY_BYTES } from "../driver/resp/open-resp.ts"
import { notRedis, serverRequired } from "../errors/cli.ts"
import { isKeywrightError } from "../errors/error.ts"
import { type Invocation, textOption } from "./command.ts"

export interface OpenServer {
  readonly driver: Driver
  readonly url: string
}

/** --url, REDIS_URL, the config's url; never an engine of our own, which would be empty. */
function addressFor(call: Invocation, configured?: string): { readonly url: string; readonly from: string } {
  const given = textOption(call, "url")
  if (given === "memory:" || given === "local:") throw serverRequired(call.command)
  if (given) return { url: given, from: call.isPositional ? "the call" : "--url" }
  const environment = process.env["REDIS_URL"]
  if (environment) return { url: environment, from: "REDIS_URL" }
  if (configured) return { url: configured, from: "the config" }
  throw serverRequired(call.command)
}

/**
 * Opens it, does the work, closes it. Any node of a cluster represents the cluster, unless the address says
 * `?cluster=off`.
 */
export async function withServer<T>(
  call: Invocation,
  configured: string | undefined,
  work: (server: OpenServer) => Promise<T>,
): Promise<T> {
  const { url, from } = addressFor(call, configured)
  const driver = openServer(url, WAITING)
  try {
    call.out.noteOnce(`server: ${describeTarget(url, {}).replace(/, as given$/, "")} (from ${from})`)
    await driver.send(["PING"], { safe: true, timeoutMs: 3000 }).catch((error: unknown) => {
      throw isOtherProtocol(error) ? notRedis(driver.label.replace(/ \(.*\)$/, ""), error) : error
    })
    if (driver.cluster) call.out.noteOnce(`a cluster of ${(await driver.primaries()).length} primaries`)
    return await work({ driver, url })
  } finally {
    await driver.close()
  }
}

/** Somebody answers there, but not as a Redis server does. */
const isOtherProtocol = (error: unknown): boolean =>
  isKeywrightError(error) && /sent a reply that starts with byte|DRIVER\.PROTOCOL/.test(`${error.code} ${error.why}`)

const WAITING = {
  name: "keywright-cli",
  timeoutMs: 5000,
  connectTimeoutMs: 5000,
  usualReplyBytes: TOOL_REPLY_BYTES,
} as const
