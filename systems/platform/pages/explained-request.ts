/* What was recorded of a request, as its page shows it: each round trip with its keys, what
 * the schema says about them, and the sentence of the document that asked for them. */

import { readFileSync } from "node:fs"
import type { Key, Keyspace, Sent, Step } from "keywright"
import { redisTypeOf } from "../redis-type.ts"
import type { Quote, SystemDocument } from "./document.ts"
import type { Recorded } from "./recorder.ts"

export interface ExplainedRequest extends Omit<Recorded, "sent"> {
  readonly asked: ExplainedQuote | undefined
  readonly sent: readonly ExplainedSent[]
  /** What there is to know of the keys, by name. */
  readonly keys: Readonly<Record<string, ExplainedKey>>
}

export interface ExplainedSent extends Sent {
  /** What a step is for, and its script. */
  readonly step?: { readonly doc: string; readonly source: string }
}

export interface ExplainedKey {
  readonly pattern: string
  readonly type: string
  readonly ttl: string
  readonly doc: string
  readonly asked: ExplainedQuote | undefined
}

export interface ExplainedQuote {
  readonly id: string
  readonly text: string
  readonly english?: string
  readonly language: string
}

const NONE: SystemDocument = { keys: {}, routes: {} }

export function explainerOf(
  keyspace: Keyspace,
  document: SystemDocument = NONE,
): (recorded: Recorded) => ExplainedRequest {
  const rows = new Map(keyspace.keys.map((row) => [row.name, row]))
  const steps = keyspace.steps as Readonly<Record<string, Step>>
  const quoted = (quote: Quote | undefined, language = "en"): ExplainedQuote | undefined =>
    quote && { id: quote[0], text: quote[1], language, ...(quote[2] !== undefined && { english: quote[2] }) }
  const keyOf = (name: string): ExplainedKey => {
    const row = rows.get(name)!
    const asked = quoted(document.keys[name], document.language)
    return { pattern: row.pattern, type: redisTypeOf(row), ttl: ttlOf(row), doc: row.doc ?? "", asked }
  }
  const stepOf = ({ script }: Sent): Pick<ExplainedSent, "step"> => {
    const step = script && steps[script.name]
    return step ? { step: { doc: step.doc ?? "", source: sourceOf(step) } } : {}
  }
  return (recorded) => {
    const names = new Set(
      recorded.sent.flatMap(({ commands, script }) =>
        [...commands.flatMap(({ keys }) => keys), ...(script?.keys ?? [])].flatMap(({ name }) => name ?? []),
      ),
    )
    return {
      ...recorded,
      asked: quoted(document.routes[recorded.route]),
      sent: recorded.sent.map((sent) => ({ ...sent, ...stepOf(sent) })),
      keys: Object.fromEntries([...names].map((name) => [name, keyOf(name)])),
    }
  }
}

function ttlOf({ ttl, family }: Key): string {
  if (ttl === undefined) return family === undefined ? "no TTL" : "with its family"
  if (ttl.on === "never") return "no TTL"
  if (ttl.on === "choice") return ttl.choices.map((one) => (one === "never" ? "no TTL" : lasting(one))).join(" or ")
  return `TTL ${ttl.on === "bound" ? "up to " : ""}${lasting(ttl.ms)}`
}

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
] as const
function lasting(ms: number): string {
  const [unit, name] = UNITS.find(([size]) => ms % size === 0) ?? [1, "ms"]
  return `${ms / unit} ${name}`
}

const sources = new WeakMap<Step, string>()
function sourceOf(step: Step): string {
  let source = sources.get(step)
  if (source === undefined) {
    source = "source" in step.script ? step.script.source : readFileSync(new URL(step.script.url), "utf8")
    sources.set(step, source)
  }
  return source
}
