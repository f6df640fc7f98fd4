/* For tests: the data that an application wrote is as its schema says. */

import type { Driver } from "../../driver/driver.ts"
import { notClean, notRead } from "../../errors/inspect.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit, type AuditOptions } from "./audit.ts"
import type { Finding } from "./finding.ts"

/**
 * What `expectClean` needs of a client.
 * @example
 * const check = (clients: Auditable[]) => Promise.all(clients.map((db) => expectClean(db)))
 */
export interface Auditable {
  readonly $keyspace: Keyspace
  $driver(): Driver
}

const MOST_LINES = 50

/**
 * Audits everything behind a client and throws an assertion error that lists the findings, if there are any, or what could not be read.
 * @example
 * await db.cart({ token: "EB93" }).set("item1", 2)
 * await expectClean(db) // in a test: fails with the list of findings
 */
export async function expectClean(db: Auditable, options: AuditOptions = {}): Promise<void> {
  const { findings, summary, unreadable } = await audit(db.$keyspace, db.$driver(), options)
  if (findings.length === 0 && unreadable.length > 0) throw notRead(unreadable)
  if (findings.length === 0) return
  const lines = findings.slice(0, MOST_LINES).map(lineOf)
  if (findings.length > MOST_LINES) lines.push(`… and ${findings.length - MOST_LINES} more`)
  throw notClean(findings.length, lines, summary)
}

function lineOf({ code, key, place, expected, found }: Finding): string {
  const where = place === undefined ? key : `${key} (${Object.entries(place).flat().join(" ")})`
  return `  ${code}  ${where}: expected ${expected}, found ${found}`
}
