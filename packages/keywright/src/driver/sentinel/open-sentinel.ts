/* The primary that sentinels name, as a driver: our own connection, which asks them each time
 * it dials. A server that says it is a replica is left at once, before or after it was written
 * to: nothing was carried out there. One that the sentinels have replaced is left as well, and
 * what it would still answer does not count: its writes are lost when it follows the new one. */

import { KeywrightError } from "../../errors/error.ts"
import { failedAt } from "../../errors/failed-at.ts"
import { NotApplied } from "../../errors/outcome.ts"
import { showAddress } from "../address.ts"
import { type Endpoint, showEndpoint } from "../cluster/endpoint.ts"
import type { Driver, ReadRole } from "../driver.ts"
import type { Connection } from "../resp/connection.ts"
import type { Overseer } from "../resp/overseer.ts"
import { RespDriver, type RespDriverOptions } from "../resp/resp-driver.ts"
import { type SentinelOptions, Sentinels } from "./primary-of.ts"
import { ReplicaReads } from "./replica-reads.ts"
import { Switches } from "./switches.ts"
import type { SentinelAddress } from "./sentinel-address.ts"

/** A primary that is silent for longer may have been replaced: see overseer.ts. */
const LONGEST_SILENCE_MS = 2000
/** Between two times that all sentinels are asked because of what one announced. */
const HINTS_APART_MS = 1000

export interface OpenSentinelOptions {
  readonly address: SentinelAddress
  readonly driver: Omit<RespDriverOptions, "dial" | "labelOf" | "overseer">
  readonly dialPrimary: SentinelOptions["dial"]
  readonly dialSentinel: SentinelOptions["dial"]
  /** Who answers reads. */
  readonly read: ReadRole
}

export function openSentinel({ address, driver, dialPrimary, dialSentinel, read }: OpenSentinelOptions): Driver {
  const { service, sentinels, sentinelUsername, sentinelPassword } = address
  const connection = { ...driver, username: sentinelUsername, password: sentinelPassword, protocol: 2 } as const
  const asked = new Sentinels({ service, sentinels, dial: dialSentinel, connection })
  let at: Endpoint | undefined
  const open = new Set<Connection>()
  let switches: Switches | undefined
  let isAsking = false
  let isHinted = false
  const onHint = () => {
    isHinted = true
    if (isAsking || open.size === 0) return
    isAsking = true
    isHinted = false
    asked
      .primary()
      .then((primary) => {
        if (at === undefined || showEndpoint(primary) === showEndpoint(at)) return
        const reason = new Error(`the sentinels name another primary, ${showEndpoint(primary)}`)
        for (const one of open) one.drop(reason)
      })
      .catch(() => undefined) // Only a hint: the next call that fails asks again.
      .finally(() => setTimeout(rested, HINTS_APART_MS).unref())
  }
  const rested = () => {
    isAsking = false
    if (isHinted) onHint()
  }
  const scheme = showAddress(address.primary).replace(/:.*$/s, "")
  return new RespDriver({
    ...driver,
    labelOf: (db) => `${scheme}+sentinel://${sentinels.map(showEndpoint).join(",")}/${service}/${db} (own connection)`,
    dial: async (signal) => {
      at = await asked.primary()
      if (open.size > 0)
        switches ??= new Switches({ service, sentinels: () => asked.known, dial: dialSentinel, connection, onHint })
      return dialPrimary(at)(signal)
    },
    asksWho: true,
    sentinels: () => asked.views(),
    before: (primary, options) => {
      open.add(primary)
      return new ReplicaReads(primary, {
        connection: { ...options, label: `a replica of ${service}` },
        dial: async (signal) => dialPrimary(await asked.replica())(signal),
        silenceMs: LONGEST_SILENCE_MS,
        read,
        onClose: () => {
          open.delete(primary)
          if (open.size > 0) return
          switches?.close()
          switches = undefined
        },
      })
    },
    overseer: overseer(() => at && showEndpoint(at)),
  })
}

const overseer = (where: () => string | undefined): Overseer => ({
  silenceMs: LONGEST_SILENCE_MS,
  takesBatches: false,
  greeted: ({ role }) =>
    role === "replica"
      ? new Error(`${where() ?? "the server"}, which the sentinels name as primary, is a replica`)
      : undefined,
  unlinked: () => undefined,
  refused: (call, error, from: Connection) => {
    const reason = error.code === "SERVER.EXECABORT" && error.cause instanceof KeywrightError ? error.cause : error
    if (!(reason instanceof NotApplied) || reason.code !== "SERVER.READONLY") return false
    from.leave(new Error(`${where() ?? "the server"} is a replica now`))
    call.refusal = reason
    from.take(call)
    return true
  },
  failed: (_, error) => {
    const address = where()
    if (address !== undefined) failedAt(error, { address, role: "primary" })
  },
})
