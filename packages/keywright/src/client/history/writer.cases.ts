/* A process that writes: several lanes of planned transactions, until its standard input
 * ends. Everything that it asks and is answered goes into a file, by synchronous writes,
 * so that kill -9 leaves what it had asked.
 *
 * argv: a file with its WriterOrder as JSON. */

import { openSync, readFileSync, writeSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { Redis } from "ioredis"
import { createClient } from "redis"
import { KeywrightError } from "../../errors/error.ts"
import { NotApplied, OutcomeUnknown } from "../../errors/outcome.ts"
import { connect } from "../connect.ts"
import type { Target } from "../target.ts"
import type { Operation, Outcome } from "./history.cases.ts"
import { now, watchPauses } from "./pauses.cases.ts"
import { Random } from "../../../../../test/random.ts"
import {
  Aborted,
  carryOut,
  Impossible,
  type Inside,
  type Planned,
  Planner,
  replicatedWorkspace,
  slotWorkspace,
  type SlotWorkspace,
  type Workspace,
  workspace,
} from "./workload.cases.ts"

export type DriverName = "own connection" | "node-redis" | "ioredis"

export interface WriterOrder {
  readonly name: string
  /** Transactions are numbered from here on. */
  readonly first: number
  readonly port: number
  readonly driver: DriverName
  readonly lanes: number
  readonly replicated: boolean
  /** For a cluster: its nodes, and the tag whose slot this writer writes to. */
  readonly cluster?: { readonly nodes: string; readonly tag: string }
  readonly log: string
  /** Left over by a process that was killed: asked for again first. */
  readonly leftOver: readonly Planned[]
  /** How often it throws its dice: so that two runs differ. */
  readonly seed: number
}

/** A line of its file. */
export type LogLine =
  | { readonly invoked: number; readonly call: number; readonly planned: Planned; readonly again: boolean }
  | {
      readonly settled: number
      readonly call: number
      readonly outcome: Outcome
      readonly answer?: readonly Operation[] | undefined
      readonly code?: string | undefined
      readonly impossible?: string | undefined
    }
  | { readonly from: number; readonly to: number }

const soon = 20

async function open({ driver, port, cluster }: WriterOrder): Promise<{ target: Target; close: () => void }> {
  if (cluster !== undefined) return { target: `redis://${cluster.nodes}`, close: () => undefined }
  const url = `redis://127.0.0.1:${port}`
  if (driver === "node-redis") {
    const client = createClient({ url, socket: { reconnectStrategy: () => soon } })
    client.on("error", () => undefined)
    await client.connect()
    return { target: { client }, close: () => client.destroy() }
  }
  if (driver === "ioredis") {
    const client = new Redis({ port, retryStrategy: () => soon })
    client.on("error", () => undefined)
    return { target: { client }, close: () => client.disconnect() }
  }
  return { target: url, close: () => undefined }
}

interface Opened {
  readonly transact: (
    work: (inside: Inside) => Promise<readonly Operation[]>,
    notes: { readonly timeoutMs: number; readonly lastSeen: boolean; readonly operationId?: string },
  ) => Promise<readonly Operation[]>
  readonly close: () => Promise<void>
}

async function opened({ cluster, replicated }: WriterOrder, target: Target): Promise<Opened> {
  if (cluster === undefined) {
    const db = (await connect(replicated ? replicatedWorkspace : workspace, target)) as Workspace
    return { transact: (work, notes) => db.$transaction(work, notes), close: () => db.$close() }
  }
  const db: SlotWorkspace = await connect(slotWorkspace, target)
  const { tag } = cluster
  return {
    transact: (work, notes) => db.$transaction((inside) => work(inside.slot({ tag }) as unknown as Inside), notes),
    close: () => db.$close(),
  }
}

async function main(): Promise<void> {
  const order = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as WriterOrder
  const file = openSync(order.log, "a")
  const say = (line: LogLine) => void writeSync(file, `${JSON.stringify(line)}\n`)
  const { target, close } = await open(order)
  const { transact, close: closeClient } = await opened(order, target)
  const planner = new Planner(new Random(order.seed), order.replicated)
  const over = new AbortController()
  process.stdin.on("end", () => over.abort()).resume()
  const pauses = watchPauses((pause) => say(pause))
  let calls = 0
  let transactions = 0
  const telling = setInterval(() => process.stdout.write(`${transactions}\n`), 50)

  async function call(planned: Planned, again: boolean): Promise<Outcome> {
    const number = ++calls
    const { operationId, timeoutMs } = planned
    let done: Operation[] = []
    say({ invoked: now(), call: number, planned, again })
    try {
      const lastSeen = number % 2 === 0
      const notes = { timeoutMs, lastSeen, ...(operationId === undefined ? {} : { operationId }) }
      const answer = await transact((inside) => carryOut(inside, planned, (done = [])), notes)
      say({ settled: now(), call: number, outcome: "ok", answer })
      planner.seen(answer)
      return "ok"
    } catch (error) {
      const settled = now()
      const told = { settled, call: number, code: codeOf(error) }
      if (error instanceof Impossible) say({ ...told, outcome: "threw", impossible: error.message })
      else if (error instanceof Aborted) say({ ...told, outcome: "threw", answer: done })
      else say({ ...told, outcome: error instanceof OutcomeUnknown ? "unknown" : "notApplied" })
      return error instanceof OutcomeUnknown ? "unknown" : error instanceof Aborted ? "threw" : "notApplied"
    }
  }

  async function wholly(planned: Planned): Promise<void> {
    let outcome = await call(planned, false)
    transactions++
    if (planned.operationId === undefined) return
    for (let tries = 0; outcome === "unknown" && tries < 6; tries++) {
      await sleep(20 * tries)
      outcome = await call(planned, true)
    }
    if (outcome === "ok" && planned.again) await call(planned, true)
  }

  let next = order.first
  const lane = async (own: readonly Planned[]) => {
    for (const planned of own) await wholly(planned)
    while (!over.signal.aborted) await wholly(planner.next(next++))
  }
  process.stdout.write("ready\n")
  const shares = Array.from({ length: order.lanes }, (_, i) => order.leftOver.filter((_, j) => j % order.lanes === i))
  await Promise.all(shares.map(lane))
  pauses.stop()
  clearInterval(telling)
  await closeClient()
  close()
  // Whether a client leaves something open after it was closed is not the question here.
  process.exit(0)
}

const codeOf = (error: unknown): string => {
  if (error instanceof KeywrightError) return `${error instanceof NotApplied ? "NotApplied " : ""}${error.code}`
  return error instanceof Aborted || error instanceof Impossible ? error.constructor.name : String(error)
}

void main().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
