/* A hand-written page, the schema and the server, against one another: where two of them
 * agree, the third is wrong. Where the server has no such keys, it cannot decide. */

import { redisTypes } from "../../schema/define.ts"
import { fromMs } from "../../schema/duration.ts"
import { longestLife } from "../../schema/ttl.ts"
import type { Driver } from "../../driver/driver.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { CheckFinding } from "./check-finding.ts"
import { type PageClaim, mergedSlips, pageSlips, type Slip } from "./check-page.ts"
import { claimWords, mayLive, type PageTtl, type TtlClaim } from "./page-ttls.ts"
import { meetKeys, type Met, type ServerFound } from "./page-server.ts"
import type { SourceFile } from "./source-lines.ts"
import type { UnreadableKeys } from "../model/unreadable.ts"
import type { WalkOptions } from "../walk/walk.ts"

/** Which of the three is wrong; more than one when it cannot be decided. */
export type Wrong = "page" | "schema" | "server"

export interface PageFinding extends CheckFinding {
  readonly wrong: readonly Wrong[]
}

export interface PageCheck {
  readonly findings: readonly PageFinding[]
  /** The number of keys on the server that were read. */
  readonly keys: number
  /** What the server refused to read: it says nothing against what a page or the schema says about these keys. */
  readonly unreadable: readonly UnreadableKeys[]
}

export interface PageCheckOptions extends WalkOptions {
  readonly databases?: readonly number[]
  /** The schema is what was inferred from this server: it is never wrong where the server is right. */
  readonly isInferred?: boolean
}

/** The findings of all pages, by page and line; then what no page mentions. */
export async function checkPagesAndServer(
  keyspace: Keyspace,
  pages: readonly SourceFile[],
  driver: Driver,
  { isInferred = false, ...options }: PageCheckOptions = {},
): Promise<PageCheck> {
  const read = pages.map((page) => ({ file: page.file, ...pageSlips(keyspace, page) }))
  const unowned = read.flatMap(({ slips }) =>
    slips.flatMap(({ claim }) => (claim?.word === undefined ? [] : [claim.word])),
  )
  const asksTtls = read.some(({ ttls }) => ttls.length > 0)
  const found = await meetKeys(keyspace, driver, [...new Set(unowned)], { ...options, ttls: asksTtls })
  const findings: PageFinding[] = []
  for (const { file, slips, seen, ttls } of read) {
    const judged = slips.map((slip) =>
      judge(slip, found, isInferred, (name) => keyspace.keys.find((key) => key.name === name)!),
    )
    // Where page and schema differ in the type, that has been judged.
    const disputed = new Set(slips.flatMap(({ claim, name }) => (claim?.type === undefined ? [] : [name])))
    const odd = seen.flatMap(({ owner, line }) =>
      disputed.has(owner.key.name) ? [] : oddTypes(owner.key, line.number, found),
    )
    findings.push(...mergedSlips([...judged, ...odd, ...oddTtls(ttls, found)], file))
  }
  if (isInferred) for (const [i, one] of findings.entries()) findings[i] = { ...one, message: asInferred(one.message) }
  // A page speaks of a key also where it spells it differently, or mentions it as a plain word.
  const words = new Set(pages.flatMap(({ text }) => text.match(/[\w.:-]+/g) ?? []))
  const spoken = new Set([
    ...read.flatMap(({ seen }) => seen.map(({ owner }) => owner.key.name)),
    ...read.flatMap(({ slips }) => slips.flatMap(({ name }) => name ?? [])),
    ...keyspace.keys.flatMap(({ name, pattern }) => (words.has(pattern) ? [name] : [])),
  ])
  findings.push(...unspoken(keyspace, spoken, found), ...unknownToBoth(found))
  return { findings, keys: found.keys, unreadable: found.unreadable }
}

type Judged = Slip & { readonly wrong: readonly Wrong[] }

/** What the server says to a slip between page and schema. */
function judge(slip: Slip, found: ServerFound, isInferred: boolean, keyOf: (name: string) => Key): Judged {
  const { claim, name, pattern } = slip
  const declared = name === undefined ? undefined : found.declared.get(name)
  if (claim?.type !== undefined) return judgeType(slip, claim, declared)
  if (claim?.ttl !== undefined) return judgeTtl(slip, claim.ttl, declared, keyOf(name!))
  if (claim?.word === undefined) return { ...slip, wrong: ["page"] }
  const spelled = found.spelled.get(claim.word)
  if (spelled !== undefined && spelled.keys > 0) {
    const both = declared !== undefined && declared.keys > 0
    const says = both
      ? `the server has both: ${keyCount(spelled)} as on the page, ${keyCount(declared)} of ${pattern}`
      : `the server has ${keyCount(spelled)} as on the page${pattern === undefined ? "" : `, and none of ${pattern}`}`
    return told(slip, says, both ? ["server"] : isInferred ? ["page"] : ["schema"])
  }
  if (declared !== undefined && declared.keys > 0)
    return told(slip, `the server has ${keyCount(declared)} of ${pattern}, and none as on the page`, ["page"])
  return told(slip, "the server has no such key", isInferred ? ["page"] : ["page", "schema"])
}

/** The page says one type, the schema another. */
function judgeType(slip: Slip, { type }: PageClaim, declared: Met | undefined): Judged {
  if (declared === undefined || declared.keys === 0) return told(slip, "the server has no such key", ["page", "schema"])
  const types = Object.keys(declared.types)
  if (types.length === 0) return told(slip, "on the server its type could not be read", ["page", "schema"])
  if (types.length > 1) return told(slip, `the server has ${typesOf(declared)}`, ["server"])
  const known = declared.types[types[0]!]!.keys
  const says = `on the server ${declared.keys === 1 ? "it is" : `${known === declared.keys ? "all" : "of those that could be read,"} ${known} are`} ${aType(types[0]!)}`
  return told(slip, says, [types[0] === type ? "schema" : "page"])
}

/** The page says one time to live, the schema another: which of them do the keys have? */
function judgeTtl(slip: Slip, claim: TtlClaim, declared: Met | undefined, { ttl }: Key): Judged {
  if (declared === undefined || declared.keys === 0) return told(slip, "the server has no such key", ["page", "schema"])
  const { without, with: some, longestMs } = declared.ttls
  if (without > 0 && some > 0)
    return told(slip, `on the server ${some} of ${keyCount(declared)} ${some === 1 ? "has" : "have"} a TTL`, ["server"])
  if (without + some < declared.keys) return told(slip, "on the server its TTL could not be read", ["page", "schema"])
  const all = declared.keys === 1 ? "it" : `all ${declared.keys}`
  if (without > 0) {
    const mayLast = ttl !== undefined && mayLive(ttl, "never")
    const says = `on the server ${all} ${declared.keys === 1 ? "has" : "have"} no TTL`
    return told(slip, says, claim === "never" ? ["schema"] : mayLast ? ["page"] : ["server"])
  }
  const left = `on the server ${all} ${declared.keys === 1 ? "has" : "have"} a TTL, of which ${fromMs(roundedUp(longestMs))} is left at most`
  const [said, meant] = [claim === "never" ? undefined : claim, longestLife(ttl)]
  if (said === undefined) return told(slip, left, ["page"])
  if (meant === undefined) return told(slip, left, longestMs <= said + SLACK_MS ? ["schema"] : ["page", "schema"])
  if (longestMs > Math.max(said, meant) + SLACK_MS) return told(slip, left, ["server"])
  if (longestMs <= Math.min(said, meant) + SLACK_MS) return told(slip, left, ["page", "schema"])
  return told(slip, left, [said < meant ? "page" : "schema"])
}

/** Clocks differ a little. */
const SLACK_MS = 1000
const roundedUp = (ms: number): number => (ms > 1000 ? Math.ceil(ms / 1000) * 1000 : ms)

/** Page and schema agree on when keys expire, and some keys on the server differ. */
function oddTtls(ttls: readonly PageTtl[], found: ServerFound): Judged[] {
  return ttls.flatMap(({ line, key, claim }): Judged[] => {
    const met = found.declared.get(key.name)
    if (met === undefined || key.ttl === undefined || !mayLive(key.ttl, claim)) return []
    const { without, with: some, longestMs, exampleWithout, exampleLongest } = met.ttls
    const longest = longestLife(key.ttl)
    const says =
      without > 0 && !mayLive(key.ttl, "never")
        ? `${without} of ${keyCount(met)} ${without === 1 ? "has" : "have"} no TTL: ${exampleWithout}`
        : some > 0 && longest === undefined
          ? `${some} of ${keyCount(met)} ${some === 1 ? "has" : "have"} a TTL: ${exampleLongest}`
          : longest !== undefined && longestMs > longest + SLACK_MS
            ? `one has ${fromMs(roundedUp(longestMs))} left: ${exampleLongest}`
            : undefined
    if (says === undefined) return []
    return [
      {
        code: "SERVER.WRONG_TTL",
        severity: "error",
        line,
        name: key.name,
        pattern: key.pattern,
        message: `${key.pattern} ${claimWords(claim)} on the page and in the schema; on the server ${says}`,
        fix: "Find out who wrote it: keywright audit says more.",
        wrong: ["server"],
      },
    ]
  })
}

/** Page and schema agree, and the server has keys of another type. */
function oddTypes(key: Key, line: number, found: ServerFound): Judged[] {
  const met = found.declared.get(key.name)
  const type = redisTypes[key.kind]
  const odd = met === undefined ? [] : Object.entries(met.types).filter(([each]) => each !== type)
  return odd.map(([other, { keys, example }]) => ({
    code: "SERVER.WRONG_TYPE",
    severity: "error",
    line,
    name: key.name,
    pattern: key.pattern,
    message: `${key.pattern} is ${aType(type)} on the page and in the schema; on the server ${keys} of ${keyCount(met!)} ${keys === 1 ? "is" : "are"} ${aType(other)}: ${example}`,
    fix: "Find out who wrote it: keywright audit says more.",
    wrong: ["server"],
  }))
}

/** Keys of the server that the schema declares and no page mentions. */
function unspoken(keyspace: Keyspace, spoken: ReadonlySet<string>, { declared }: ServerFound): PageFinding[] {
  const isTold = new Set(keyspace.keys.filter(({ name }) => spoken.has(name)).map(({ pattern }) => pattern))
  return keyspace.keys.flatMap((key) => {
    const met = declared.get(key.name)
    if (met === undefined || met.keys === 0 || isTold.has(key.pattern)) return []
    return [
      {
        code: "PAGE.SILENT" as const,
        severity: "note" as const,
        name: key.name,
        pattern: key.pattern,
        message: `the page does not mention ${key.pattern}; the server has ${keyCount(met)} of it`,
        fix: "Add it to the page, or let keywright docs write the page.",
        wrong: ["page"],
      },
    ]
  })
}

function unknownToBoth({ unknown }: ServerFound): PageFinding[] {
  return [...unknown].map(([pattern, met]) => ({
    code: "SERVER.UNKNOWN_KEYS",
    severity: "warning",
    message: `neither the page nor the schema knows ${pattern}; the server has ${keyCount(met)} like ${met.example}`,
    fix: "Declare and describe them, or find out who writes them.",
    wrong: ["server"],
  }))
}

const told = (slip: Slip, says: string, wrong: readonly Wrong[]): Judged => ({
  ...slip,
  message: `${slip.message}; ${says}`,
  wrong,
  ...(wrong.length === 1 && wrong[0] !== "page" && { fix: FIXES[wrong[0]!] }),
})

const FIXES = {
  schema: "correct the schema: the server is as the page says",
  server: "find out who writes the other form",
}

/** Without a schema the patterns are those of the server itself. */
const asInferred = (message: string): string =>
  message.replaceAll(" on the page and in the schema", " on the page").replaceAll(" in the schema", " on the server")

const keyCount = ({ keys }: Met): string => `${keys} key${keys === 1 ? "" : "s"}`
const typesOf = ({ types }: Met): string =>
  Object.entries(types)
    .map(([type, { keys }]) => `${keys} ${type}${keys === 1 ? "" : type === "hash" ? "es" : "s"}`)
    .join(" and ")
const aType = (type: string): string => `a ${type}`
