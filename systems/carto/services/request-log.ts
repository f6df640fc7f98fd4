/* The log of requests (CDB-14): off by default, because it fills Redis; with a limit of
 * days when it is on (CDB-C7). */

import { isIP } from "node:net"
import type { IncomingMessage } from "node:http"
import type { Day } from "keywright"
import { daysFrom } from "../../platform/days.ts"
import { isLoopbackAddress } from "../../platform/http/hosts.ts"
import type { CartoContext } from "../context.ts"
import type { Calendar } from "./calendar.ts"

/** Running queries is what the document logs; other actions are named after their method. */
const NAMED: Readonly<Record<string, string>> = { "POST /queries": "run" }

export function requestLog({ db, settings, lenient }: CartoContext, calendar: Calendar) {
  return {
    async add(request: IncomingMessage, { method, path }: { method: string; path: string }): Promise<void> {
      const controller = path.split("/")[1]!
      const action = NAMED[`${method} ${path}`] ?? method.toLowerCase()
      await db.queriesLog.log({ date: calendar.today() }).pushLeft({ ip: addressOf(request), controller, action })
    },

    /** The newest first. */
    entries: (date: Day, offset: number, limit: number) =>
      db.queriesLog.log({ date }).range(offset, offset + limit - 1, lenient),

    /** Removes the logs of days that are kept no longer: how many days. */
    async removeOld(): Promise<number> {
      let removed = 0
      for await (const { params, handle } of db.queriesLog.log.scan()) {
        if (daysFrom(params.date, calendar.today()) < settings.logRetentionDays) continue
        if (await handle.delete()) removed += 1
      }
      return removed
    },
  }
}

/** The peer's address; behind a proxy on this machine, the one that it names first. */
function addressOf({ socket, headers }: IncomingMessage): string {
  const peer = plain(socket.remoteAddress ?? "")
  if (!isLoopbackAddress(peer)) return peer
  const forwarded = headers["x-forwarded-for"]
  const first = plain((typeof forwarded === "string" ? forwarded : "").split(",", 1)[0]!.trim())
  return isIP(first) === 0 ? peer : first
}

/** An IPv4 address that came as IPv6 is IPv4. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "")

export type RequestLog = ReturnType<typeof requestLog>
