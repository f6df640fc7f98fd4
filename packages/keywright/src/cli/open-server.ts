/* The server that a command looks at, and the line that says which. */

import { describeTarget } from "../client/target.ts"
import type { Driver } from "../driver/driver.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { serverRequired } from "../errors/cli.ts"
import { clusterDriver } from "./cluster-driver.ts"
import { type Call, textOption } from "./command.ts"

export interface Server {
  readonly driver: Driver
  readonly url: string
}

/** --url, REDIS_URL, the config's url; never an engine of our own, which would be empty. */
function addressFor(call: Call, configured?: string): { readonly url: string; readonly from: string } {
  const given = textOption(call, "url")
  if (given === "memory:" || given === "local:") throw serverRequired(call.command)
  if (given) return { url: given, from: "--url" }
  const environment = process.env["REDIS_URL"]
  if (environment) return { url: environment, from: "REDIS_URL" }
  if (configured) return { url: configured, from: "the config" }
  throw serverRequired(call.command)
}

/** Opens it, does the work, closes it. Of a cluster the node that was named, or with `whole` all of it. */
export async function withServer<T>(
  call: Call,
  configured: string | undefined,
  work: (server: Server) => Promise<T>,
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<T> {
  const { url, from } = addressFor(call, configured)
  const seed = openResp(url, WAITING)
  let driver: Driver = seed
  try {
    call.out.note(`server: ${describeTarget(url, {}).replace(/, as given$/, "")} (from ${from})`)
    await seed.send(["PING"], { safe: true, timeoutMs: 3000 })
    if (whole && (await seed.facts()).mode === "cluster") {
      driver = await clusterDriver({ seed, connect: (host, port) => openResp(nodeUrl(url, host, port), WAITING) })
      call.out.note(`a cluster of ${(await driver.primaries()).length} primaries`)
    }
    return await work({ driver, url })
  } finally {
    if (driver !== seed) await driver.close()
    await seed.close()
  }
}

const WAITING = { name: "keywright-cli", timeoutMs: 5000, connectTimeoutMs: 5000 } as const

/** The address of another node: with the same credentials. */
function nodeUrl(url: string, host: string, port: number): string {
  const at = new URL(url)
  if (host !== "") at.hostname = host
  at.port = String(port)
  return at.href
}
