/* Does the data match its schema? Every key of a server is classified and read, and everything that the schema says about
 * it is checked, both ways, while the server is in use; an RDB file is read by the same commands, as if it were a
 * server. Nothing is written, and nothing is reported that was not read twice.
 *
 * A check is one small file in checks/; checks/checks.ts lists them. What they find is
 * plain data (finding.ts), whose codes are documented in finding-codes.ts. */

import type { Driver, ServerFacts } from "../../driver/driver.ts"
import { fileInterrupted, Interrupted } from "../../errors/inspect.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { compareCounters } from "./checks/counter.ts"
import { Inquiry, type ReportFinding } from "./inquiry.ts"
import { gatheringsOf } from "./gathered.ts"
import { Later } from "./later.ts"
import { Ledger } from "./ledger.ts"
import { modelOf } from "../model/model.ts"
import { Unreadable, type UnreadableKeys } from "../model/unreadable.ts"
import type { Checking } from "./checks/checks.ts"
import { PageAudit, type PagesOptions } from "./page-audit.ts"
import { unconfirmed } from "./unconfirmed.ts"
import { type AuditRule, ruleContext, type RuleContext } from "./rules.ts"
import { Sums } from "./sums.ts"
import { type Database, databasesOf } from "../walk/databases.ts"
import type { Finding } from "./finding.ts"
import { openSnapshot } from "../snapshot/open-snapshot.ts"
import type { RdbSource } from "../snapshot/rdb-source.ts"
import { schemaOf } from "../stats/stats.ts"
import { type Page, walk, type WalkOptions } from "../walk/walk.ts"
import { isText } from "../walk/wire.ts"

/**
 * Options of `audit`: rules of the application's own, exceptions, and how much to read.
 * @example
 * const options: AuditOptions = { match: "cart:*", rate: 5000, limit: 100 }
 * const { summary } = await audit(shop, db.$driver(), options)
 */
export interface AuditOptions extends WalkOptions {
  /** Logical databases, instead of those that the schema names. */
  readonly databases?: readonly number[]
  /** Rules of the application's own. */
  readonly rules?: readonly AuditRule[]
  /** Whether something that looks wrong is right after all: only the application can know. */
  readonly accept?: (finding: Finding, context: RuleContext) => boolean | Promise<boolean>
  /** The longest string that is read; a longer one is a finding. Default: 16 MB. */
  readonly valueBytes?: number
  /** How many elements of a collection are checked. Default: all. */
  readonly members?: number
  /** How long a sweeper may take to remove the traces of an expired record. Default: a minute. */
  readonly graceMs?: number
  /** How many findings are kept; all are counted. Default: 100,000. */
  readonly limit?: number
  /** Which findings are kept. Default: all. */
  readonly keep?: (finding: Finding) => boolean
  /** Called with each finding when it is confirmed. */
  readonly onFinding?: (finding: Finding) => void
}

/**
 * Where to look: a server, or an RDB file.
 * @example
 * const backup: AuditSource = { rdb: "dump.rdb" }
 * const { findings } = await audit(shop, backup)
 */
export type AuditSource = Driver | RdbSource

/**
 * What `audit` returns: plain JSON.
 * @example
 * const isClean = ({ findings }: AuditResult) => findings.length === 0
 */
export interface AuditResult {
  readonly schemaVersion: 1
  readonly server: ServerFacts & { readonly label: string }
  readonly schema: { readonly name?: string; readonly fingerprint: string }
  /** How many keys were checked. */
  readonly keys: number
  readonly findings: readonly Finding[]
  /** How many findings of each code. */
  readonly summary: Readonly<Record<string, number>>
  /** What the server refused to read: nothing is known of these keys, or not everything. Empty when all was read. */
  readonly unreadable: readonly UnreadableKeys[]
}

/**
 * Compares a server, or an RDB file as of the time when it was written, with the schema: only reads, and checks each
 * finding again before it reports it. Throws `Interrupted`, with what was found so far in `partial`, when it cannot
 * continue.
 * @example
 * const { findings, keys } = await audit(shop, db.$driver())
 * for (const { code, key, expected, found } of findings) console.log(code, key, expected, found)
 */
export async function audit(keyspace: Keyspace, source: AuditSource, options: AuditOptions = {}): Promise<AuditResult> {
  if (!("rdb" in source)) return auditDriver(keyspace, source, options)
  const { driver, savedAtMs } = await openSnapshot(source)
  try {
    return await auditDriver(keyspace, driver, options, savedAtMs)
  } catch (error) {
    throw fileInterrupted(error)
  } finally {
    await driver.close()
  }
}

async function auditDriver(
  keyspace: Keyspace,
  driver: Driver,
  options: AuditOptions,
  savedAtMs?: number,
): Promise<AuditResult> {
  const { rules = [], accept, limit = 100_000, graceMs = 60_000 } = options
  const { valueBytes = 16 * 1024 * 1024, members = Infinity } = options
  const unreadable = new Unreadable(keyspace, driver.db)
  const databases = await databasesOf(keyspace, driver, options, (...refused) => unreadable.note(...refused))
  const server = { label: driver.label, ...(await driver.facts()) }
  const model = modelOf(keyspace, databases, driver.cluster, graceMs, savedAtMs)
  const ledger = new Ledger(limit, options.onFinding, options.keep)
  const markUnconfirmed = unconfirmed(keyspace)
  const report: ReportFinding = async (raw, identity, knowsFix) => {
    const finding = markUnconfirmed(raw)
    const { key } = finding.target
    if (accept !== undefined && (await accept(finding, ruleContext(model, isText(key) ? key : "", {})))) return
    ledger.add(finding, identity, knowsFix)
  }
  const limits = { valueBytes, members }
  const gatherings = [...gatheringsOf(model).values()]
  const later = new Later(model, report, gatherings, options.signal)
  const visitor = (checking: Checking, only?: PagesOptions["only"]) => {
    const pageAudit = new PageAudit(
      model,
      { checking, limits, later, rules: checking === "indexes" ? [] : rules, ...(only && { only }) },
      report,
    )
    return (page: Page, slow: () => void) => pageAudit.audit(page, slow)
  }
  const result = (keys: number): AuditResult => ({
    schemaVersion: 1,
    server,
    schema: schemaOf(keyspace),
    keys,
    findings: ledger.findings,
    summary: ledger.summary,
    unreadable: unreadable.result(),
  })

  try {
    for (const gathering of gatherings) await gathering.gather()
    const keys = await walkAll(databases, options, visitor)
    await later.settle()
    const inquiry = new Inquiry(model, report)
    compareCounters(inquiry)
    await inquiry.settle()
    return result(keys)
  } catch (error) {
    if (error instanceof Interrupted) error.partial = result(error.keys)
    throw error
  }
}

/**
 * The walks of an audit. A whole one sums up the indexes and looks again only where a sum does not fit; a part of the
 * keys says nothing about sums, so there each entry is looked up.
 */
async function walkAll(
  databases: readonly Database[],
  options: AuditOptions,
  visitor: (checking: Checking, only?: PagesOptions["only"]) => (page: Page, slow: () => void) => Promise<void>,
): Promise<number> {
  const { resume, ...fromStart } = options
  if (options.match !== undefined || (options.sample ?? 1) < 1) return walk(databases, options, visitor("all"))
  if (resume !== undefined) {
    const keys = await walk(databases, options, visitor("own"))
    await walk(databases, fromStart, visitor("indexes"))
    return keys
  }
  const sums = new Sums()
  const keys = await walk(databases, options, visitor({ sums }))
  if (!sums.isClean)
    await walk(
      databases,
      options,
      visitor("indexes", (row, key) => sums.isDirty(row, key)),
    )
  return keys
}
