/* The audit of one system as the page follows it: run, watched, read, planned and
 * carried out. Findings are kept up to a number; all are counted. */

import { randomUUID } from "node:crypto"
import { applyRepair, type ChangeReport } from "../../change/carry-out/carry-out.ts"
import { type Deletion, deletions } from "../../change/make-plan/deletions.ts"
import type { ChangePlan } from "../../change/plan/plan.ts"
import { planRepair } from "../../change/make-plan/plan-repair.ts"
import { showAction } from "../../change/plan/show-words.ts"
import type { Wire } from "../../driver/driver.ts"
import { Interrupted, notRead } from "../../errors/inspect.ts"
import { notConfirmed, notFound, nothingFound, rulesUnconfirmed, underWay } from "../../errors/studio.ts"
import { audit } from "../../inspect/audit/audit.ts"
import type { Finding } from "../../inspect/audit/finding.ts"
import { type FindingCode, findingCodes } from "../../inspect/audit/finding-codes.ts"
import { patient } from "../../inspect/walk/patient.ts"
import { counted } from "../../render/quantity.ts"
import type { AuditState, CodeInfo, FindingRow, FindingsPage, PlanPage, PlanState } from "../api.ts"
import { failureOf } from "./answer.ts"
import type { EventHub } from "./event-hub.ts"
import type { OpenSystem } from "./open-system.ts"

const MOST_FINDINGS = 20_000
const TELL_MS = 300
const PATIENCE_MS = 60_000

/** What is known of a run that begins. */
const NOTHING_YET = {
  endedAt: undefined,
  keys: 0,
  of: 0,
  perSecond: 0,
  secondsLeft: undefined,
  summary: {},
  findings: 0,
  fixable: 0,
  codes: {},
} satisfies Partial<AuditState>

interface PageFilter {
  readonly code?: string | undefined
  readonly pattern?: string | undefined
  readonly offset: number
  readonly limit: number
}

interface MadePlan {
  readonly state: PlanState
  readonly plan: ChangePlan
}

export class AuditRun {
  readonly #system: OpenSystem
  readonly #hub: EventHub
  #state: AuditState
  #findings: Finding[] = []
  #groups = new Map<string, { code: string; pattern: string; count: number }>()
  #plan: MadePlan | undefined
  #stopping: AbortController | undefined
  #work: Promise<void> = Promise.resolve()
  #isApplying = false

  constructor(system: OpenSystem, hub: EventHub) {
    this.#system = system
    this.#hub = hub
    this.#state = {
      system: system.name,
      revision: 0,
      state: "never",
      startedAt: undefined,
      ...NOTHING_YET,
    }
  }

  get state(): AuditState {
    return this.#state
  }

  start(): AuditState {
    if (this.#state.state === "running") throw underWay("an audit")
    this.#findings = []
    this.#groups = new Map()
    this.#plan = undefined
    this.#stopping = new AbortController()
    const { error: _, ...before } = this.#state
    this.#state = {
      ...before,
      state: "running",
      startedAt: new Date().toISOString(),
      ...NOTHING_YET,
    }
    this.#tell({})
    this.#work = this.#run(this.#stopping.signal)
    return this.#state
  }

  async stop(): Promise<AuditState> {
    this.#stopping?.abort()
    await this.#work
    return this.#state
  }

  findings({ code, pattern, offset, limit }: PageFilter): FindingsPage {
    const fitting = this.#findings.filter(
      (one) => (code === undefined || one.code === code) && (pattern === undefined || one.pattern === pattern),
    )
    return {
      findings: fitting.slice(offset, offset + limit).map((one) => this.#rowOf(one)),
      total: fitting.length,
      groups: [...this.#groups.values()].sort((a, b) => b.count - a.count),
    }
  }

  about(db: number, key: Wire): FindingRow[] {
    return this.#findings
      .filter(({ target }) => target.db === db && isSame(target.key, key))
      .slice(0, 50)
      .map((one) => this.#rowOf(one))
  }

  async plan(wanted: readonly Deletion[]): Promise<PlanState> {
    if (this.#state.state === "running") throw underWay("an audit")
    const { keyspace, driver, name, given } = this.#system
    if (given.inference) throw rulesUnconfirmed(name)
    if (this.#findings.length === 0) throw nothingFound()
    const plan = await planRepair(this.#findings, keyspace, patient(driver, PATIENCE_MS), { delete: wanted })
    const state: PlanState = {
      id: randomUUID(),
      actions: plan.actions.length,
      left: plan.left,
      deletable: deletable(plan.left),
      confirm: `apply ${counted(plan.actions.length, "action")} to ${name}`,
    }
    this.#plan = { state, plan }
    return state
  }

  planPage(id: string, { code, offset, limit }: PageFilter): PlanPage {
    const { state, plan } = this.#planOf(id)
    const fitting = code === undefined ? plan.actions : plan.actions.filter((action) => action.code === code)
    return {
      ...state,
      total: fitting.length,
      rows: fitting.slice(offset, offset + limit).map(showAction),
    }
  }

  async apply(id: string, confirm: string): Promise<Omit<ChangeReport, "outcomes">> {
    const { state, plan } = this.#planOf(id)
    if (confirm !== state.confirm) throw notConfirmed(state.confirm)
    if (this.#isApplying) throw underWay("a repair")
    this.#isApplying = true
    try {
      const { outcomes: _, ...report } = await applyRepair(plan, patient(this.#system.driver, PATIENCE_MS))
      this.#plan = undefined
      return report
    } finally {
      this.#isApplying = false
    }
  }

  #planOf(id: string): MadePlan {
    if (this.#plan?.state.id !== id) throw notFound("plan of this id: make a new one")
    return this.#plan
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { keyspace, background, given } = this.#system
    let told = 0
    try {
      const { keys, findings, unreadable } = await audit(keyspace, background.driver, {
        signal,
        limit: MOST_FINDINGS,
        ...(given.rules && { rules: given.rules }),
        ...(given.accept && { accept: given.accept }),
        onFinding: (finding) => this.#add(finding),
        onProgress: ({ keys, of, perSecond, secondsLeft }) => {
          Object.assign((this.#state = { ...this.#state }), { keys, of, perSecond, secondsLeft })
          if (performance.now() - told < TELL_MS) return
          told = performance.now()
          this.#tell({})
        },
      })
      this.#findings = [...findings]
      if (unreadable.length > 0) throw notRead(unreadable)
      this.#tell({ state: "done", keys, of: keys, secondsLeft: 0, endedAt: new Date().toISOString() })
    } catch (error) {
      const endedAt = new Date().toISOString()
      if (signal.aborted) this.#tell({ state: "stopped", endedAt })
      else this.#tell({ state: "failed", endedAt, error: failureOf(causeOf(error)).error })
    }
  }

  #add(finding: Finding): void {
    if (this.#findings.length < MOST_FINDINGS) this.#findings.push(finding)
    const { code, pattern, fixable } = finding
    const group = `${code} ${pattern}`
    const known = this.#groups.get(group)
    if (known) known.count++
    else if (this.#groups.size < 2000) this.#groups.set(group, { code, pattern, count: 1 })
    const { summary, codes, ...rest } = this.#state
    this.#state = {
      ...rest,
      summary: { ...summary, [code]: (summary[code] ?? 0) + 1 },
      codes: code in codes ? codes : { ...codes, [code]: codeInfo(code) },
      findings: rest.findings + 1,
      fixable: rest.fixable + Number(fixable),
    }
  }

  #rowOf({ code, pattern, place, expected, found, fixable, target, key }: Finding): FindingRow {
    const link = this.#system.link(target.db, target.key)
    return {
      code,
      pattern,
      link: { ...link, key },
      ...(place !== undefined && { place }),
      expected,
      found,
      fixable,
    }
  }

  #tell(change: Partial<AuditState>): void {
    this.#state = { ...this.#state, ...change, revision: this.#state.revision + 1 }
    this.#hub.emit("audit", this.#state)
  }
}

const isSame = (one: Wire, other: Wire): boolean =>
  typeof one === "string" || typeof other === "string" ? one === other : Buffer.from(one).equals(other)

/** The audit was interrupted: by what? */
const causeOf = (error: unknown): unknown => (error instanceof Interrupted && error.cause ? error.cause : error)

function codeInfo(code: string): CodeInfo {
  const known = (findingCodes as Readonly<Record<string, FindingCode>>)[code]
  return known ?? { title: "a rule of the application's own", fixable: false }
}

/** Findings that are left and would be in the plan if it might delete. */
function deletable(left: ChangePlan["left"]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [word, codes] of Object.entries(deletions)) {
    const count = codes.reduce((sum, code) => sum + (left[code] ?? 0), 0)
    if (count > 0) counts[word] = count
  }
  return counts
}
