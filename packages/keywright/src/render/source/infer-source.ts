/* What infer found, as a schema.ts: every entry with the counts and examples it rests on. */

import { defined } from "../../errors/defined.ts"
import type { InferredKey } from "../../inspect/infer/propose/report.ts"
import type { Inference } from "../../inspect/infer/infer.ts"
import { countText, counted } from "../quantity.ts"
import { schemaSource } from "./schema-source.ts"
import type { Library } from "./source-documents.ts"

export interface InferSourceOptions {
  readonly library?: Library
  readonly constant?: string
  readonly day: string
}

export function inferSource(inference: Inference, { library, constant, day }: InferSourceOptions): string {
  const { server, keys, explained, form, patterns } = inference
  const from = "rdb" in server ? server.rdb : server.label.replace(/ \(.*\)$/, "")
  const share = keys === 0 ? "" : `: ${countText(keys)} keys, ${shareText(explained, keys)} explained`
  return schemaSource(form, {
    ...defined({ library, constant }),
    header: [
      `Proposed by keywright infer from ${from} on ${day}${share}.`,
      "Names are guesses: change what you know better. What was seen too rarely to be a rule is in comments.",
      "Repair changes nothing by a rule of this schema until `inferred: true` is deleted, or false for its entry.",
    ],
    comments: commentsOf(patterns),
  })
}

/** `99.9 %`, and never 100 % of less than all. */
export const shareText = (part: number, whole: number): string => {
  if (part >= whole) return "all"
  const share = Math.floor((1000 * part) / whole) / 10
  return `${share} %`
}

function commentsOf(patterns: readonly InferredKey[]): Map<string, string[]> {
  const found = groupHeadings(patterns)
  const headed = new Set<string>()
  for (const one of patterns) {
    // An entity has several patterns: the records say enough.
    if (one.role !== undefined && one.role !== "record") continue
    const isHeaded = one.software === undefined || headed.has(one.software) || found.has(groupOf(one))
    if (one.software !== undefined && !isHeaded) headed.add(one.software)
    found.set(one.name, [
      ...(isHeaded ? [] : [heading(one.software!)]),
      commentOf(one),
      ...one.notes.map((note) => `values: ${note}`),
      ...one.seen.filter((line) => !isAboutTtl(line)),
    ])
  }
  return found
}

const heading = (software: string): string => `── ${software} ──`

const groupOf = ({ name }: InferredKey): string => name.slice(0, Math.max(0, name.indexOf(".")))

/** Groups in which all keys are of one program are headed by what it is. */
function groupHeadings(patterns: readonly InferredKey[]): Map<string, string[]> {
  const programs = new Map<string, Set<string | undefined>>()
  for (const one of patterns) {
    const group = groupOf(one)
    programs.set(group, (programs.get(group) ?? new Set()).add(one.software))
  }
  const found = new Map<string, string[]>()
  for (const [group, [software, ...others]] of programs)
    if (group !== "" && software !== undefined && others.length === 0) found.set(group, [heading(software)])
  return found
}

/** Nearly every entry of a small server has it: on the line of the counts. */
const isAboutTtl = (line: string): boolean => /^seen: (?:no TTL|TTLs)/.test(line)

function commentOf({ keys, read, doubt, ttl, examples, pattern, seen }: InferredKey): string {
  const parts = [`${counted(keys, "key")}`]
  const [example] = examples
  if (example !== undefined && example !== pattern) parts.push(`e.g. ${example}`)
  if (doubt > 0) parts.push(`${countText(read)} values read`)
  if (ttl.class === "mixed") parts.push(`${countText(ttl.without)} without TTL`)
  parts.push(...seen.filter(isAboutTtl))
  return parts.join(" · ")
}
