/* The writing processes, seen from the judge: begun, counted, killed, ended; and the
 * history that their files add up to. */

import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { WriterBundle } from "./bundle-writer.cases.ts"
import type { Anomaly, Call, Pause, Transaction } from "./history.cases.ts"
import { named } from "./history.cases.ts"
import { type Planned, writesOf } from "./workload.cases.ts"
import type { LogLine, WriterOrder } from "./writer.cases.ts"

/** Who is to be begun: the rest of its order follows. */
export type WriterPlan = Pick<WriterOrder, "port" | "driver" | "lanes" | "replicated" | "cluster">

interface WriterOptions {
  readonly seed: number
  readonly mutant?: string
}

/** One who writes, whatever number of processes that takes: one that is killed is followed by another. */
export class Writer {
  readonly #bundle: WriterBundle
  readonly #plan: WriterPlan
  readonly #number: number
  readonly #seed: number
  readonly #env: NodeJS.ProcessEnv
  readonly #orders: WriterOrder[] = []
  #child: ChildProcess | undefined
  #ended: Promise<number | null> = Promise.resolve(0)
  #before = 0
  #now = 0
  #errors = ""
  /** Processes that were killed: what they had asked and was not answered is unknown. */
  readonly #killed = new Set<string>()

  constructor(bundle: WriterBundle, number: number, plan: WriterPlan, { seed, mutant = "" }: WriterOptions) {
    this.#bundle = bundle
    this.#number = number
    this.#plan = plan
    this.#seed = seed
    this.#env = { ...process.env, KEYWRIGHT_MUTANT: mutant }
  }

  get name(): string {
    return this.#orders.at(-1)!.name
  }

  /** How many transactions it has made so far. */
  get transactions(): number {
    return this.#before + this.#now
  }

  async begin(leftOver: readonly Planned[] = []): Promise<void> {
    const life = this.#orders.length
    const name = `w${this.#number}.${life}`
    const log = join(this.#bundle.directory, `${name}-${this.#seed}-${this.#plan.port}.ndjson`)
    const first = (this.#number + life * 8) * 100_000 + 1
    const order = { ...this.#plan, name, first, log, leftOver, seed: this.#seed * 1000 + this.#number * 100 + life }
    this.#orders.push(order)
    const file = `${log}.json`
    writeFileSync(file, JSON.stringify(order))
    const child = spawn(process.execPath, [this.#bundle.file, file], {
      stdio: ["pipe", "pipe", "pipe"],
      env: this.#env,
    })
    this.#child = child
    this.#ended = new Promise((resolve) => child.once("close", resolve))
    child.stdin.on("error", () => undefined)
    child.stderr.on("data", (text: Buffer) => (this.#errors += text.toString()))
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (text: Buffer) => {
        for (const line of text.toString().split("\n"))
          if (line === "ready") resolve()
          else if (/^\d+$/.test(line)) this.#now = Number(line)
      })
      void this.#ended.then(() => reject(new Error(`${name} ended before it began:\n${this.#errors}`)))
    })
  }

  /** kill -9, and another one that asks again for what was not answered. */
  async killAndFollow(): Promise<void> {
    this.#child!.kill("SIGKILL")
    await this.#ended
    this.#killed.add(this.name)
    this.#before += this.#now
    this.#now = 0
    const open = new Map<number, Planned>()
    for (const line of this.#lines(this.#orders.at(-1)!))
      if ("invoked" in line) open.set(line.call, line.planned)
      else if ("settled" in line) open.delete(line.call)
    await this.begin([...open.values()].filter(({ operationId }) => operationId !== undefined))
  }

  /** Lets every transaction finish; returns those that do not. */
  async end(patienceMs: number): Promise<Anomaly[]> {
    const child = this.#child!
    child.stdin!.end()
    const patience = setTimeout(() => child.kill("SIGKILL"), patienceMs)
    const status = await this.#ended
    clearTimeout(patience)
    if (status === 0) return []
    const text = `${this.name} had not ended ${patienceMs} ms after it was told to:\n${this.#errors}`
    return [{ kind: "never settled", text, transactions: [] }]
  }

  kill(): void {
    this.#child?.kill("SIGKILL")
  }

  *#lines({ log }: WriterOrder): Generator<LogLine> {
    // The last line of a process that was killed may be half a line.
    for (const line of readFileSync(log, "utf8").split("\n").slice(0, -1)) yield JSON.parse(line) as LogLine
  }

  /** What its files say. */
  *records(): Generator<{ readonly process: string; readonly line: LogLine; readonly killed: boolean }> {
    for (const order of this.#orders)
      for (const line of this.#lines(order)) yield { process: order.name, line, killed: this.#killed.has(order.name) }
  }
}

export interface Recorded {
  readonly transactions: Transaction[]
  readonly pauses: Map<string, Pause[]>
  /** How often calls settled with each code. */
  readonly codes: Record<string, number>
  /** Calls that never settled though no process was killed, or failed for no reason that they could have. */
  readonly anomalies: Anomaly[]
}

/** What may become of a transaction that is not applied, whatever happens around it. */
const expected = /^NotApplied |^TRANSACTION\.CONTENDED$/

export function recordedBy(writers: readonly Writer[]): Recorded {
  const byTransaction = new Map<number, { planned: Planned; calls: Call[]; impossible?: string }>()
  const pauses = new Map<string, Pause[]>()
  const codes: Record<string, number> = {}
  const anomalies: Anomaly[] = []
  for (const writer of writers) {
    const open = new Map<string, { readonly at: number; readonly planned: Planned; readonly killed: boolean }>()
    const enter = (planned: Planned, call: Call, impossible?: string) => {
      let one = byTransaction.get(planned.tx)
      if (!one) byTransaction.set(planned.tx, (one = { planned, calls: [] }))
      one.calls.push(call)
      if (impossible !== undefined) one.impossible = impossible
    }
    for (const { process, line, killed } of writer.records()) {
      if ("from" in line) {
        const own = pauses.get(process)
        if (own) own.push(line)
        else pauses.set(process, [line])
      } else if ("invoked" in line)
        open.set(`${process} ${line.call}`, { at: line.invoked, planned: line.planned, killed })
      else {
        const { at, planned } = open.get(`${process} ${line.call}`)!
        open.delete(`${process} ${line.call}`)
        const { settled, outcome, answer, code, impossible } = line
        const { timeoutMs } = planned
        enter(planned, { process, invoked: at, settled, timeoutMs, outcome, answer, code }, impossible)
        if (outcome === "notApplied" && code !== undefined && !expected.test(code)) {
          const text = `${named(planned.tx)} failed with ${code}`
          anomalies.push({ kind: "unexpected error", text, transactions: [planned.tx] })
        }
        const shown = code ?? "ok"
        codes[shown] = (codes[shown] ?? 0) + 1
      }
    }
    for (const [where, { at, planned, killed }] of open) {
      const [process] = where.split(" ") as [string]
      enter(planned, { process, invoked: at, timeoutMs: planned.timeoutMs, outcome: "unknown" })
      if (killed) continue
      const text = `${named(planned.tx)} was never settled`
      anomalies.push({ kind: "never settled", text, transactions: [planned.tx] })
    }
  }
  const transactions = [...byTransaction].map(([id, { planned, calls, impossible }]) => ({
    id,
    writes: writesOf(planned),
    calls: calls.sort((a, b) => a.invoked - b.invoked),
    impossible,
  }))
  return { transactions, pauses, codes, anomalies }
}
