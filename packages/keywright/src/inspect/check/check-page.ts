/* A hand-written page against the schema: which of its keys no pattern owns, which
 * of its commands contradict the declared type, which times to live it states differently, and
 * what it spells two ways. */

import { redisTypes, type RedisType } from "../../schema/define.ts"
import { groupBy } from "../../schema/group-by.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import type { CheckFinding } from "./check-finding.ts"
import { type PageKey, readPageKeys } from "./page-keys.ts"
import { checkPageIds, type SeenKey } from "./page-ids.ts"
import { type OwnedSpelling, type Spellings, spellingsOf } from "./page-spelling.ts"
import { anything } from "./page-text.ts"
import { type PageTtl, pageTtls, type TtlClaim, wrongTtls } from "./page-ttls.ts"
import { typesBeside } from "./page-types.ts"
import { checkPageValues } from "./page-values.ts"
import type { SourceFile } from "./source-lines.ts"

/** The slips of a page, by line; the same slip on several lines is one finding. */
export const checkPage = (keyspace: Keyspace, page: SourceFile): CheckFinding[] =>
  mergedSlips(pageSlips(keyspace, page).slips, page.file)

export interface PageSlips {
  readonly slips: readonly Slip[]
  /** What the page says about keys that the schema has. */
  readonly seen: readonly SeenKey[]
  /** What it says about when they go away. */
  readonly ttls: readonly PageTtl[]
}

/** What a page and the schema disagree about, line by line. */
export function pageSlips(keyspace: Keyspace, { text }: Pick<SourceFile, "text">): PageSlips {
  const page = readPageKeys(text)
  const spellings = spellingsOf(keyspace)
  const seen: SeenKey[] = []
  const found: Slip[] = []
  for (const mention of page.keys) {
    const owner = ownerOf(mention, spellings)
    // A word alone is a key only where it is the whole of one.
    if (owner && (mention.word.includes(":") || mention.how !== "loose" || Object.keys(owner.params).length === 0)) {
      seen.push({ ...mention, owner })
      found.push(...contradiction(mention, owner))
    } else if (owner === undefined && meansKey(mention, spellings)) found.push(unknown(mention, spellings))
  }
  for (const { key, line, says, types } of page.types) {
    const owner = ownerOf(key, spellings)
    const type = owner && redisTypes[owner.key.kind]
    if (type && types.length > 0 && (types.length > 1 || types[0] !== type))
      found.push(wrongType(line.number, key, owner, says, types[0]!))
  }
  for (const { key, line, says, type } of typesBeside(seen, page.lines))
    if (type !== redisTypes[key.owner.key.kind]) found.push(wrongType(line, key, key.owner, says, type))
  const ttls = pageTtls(seen, page.lines)
  found.push(...checkPageIds(seen, page.lines), ...checkPageValues(keyspace, page.lines), ...wrongTtls(ttls))
  return { slips: found, seen, ttls }
}

/** What the page says, for checking it against a server. */
export interface PageClaim {
  /** A spelling that no pattern has, masked. */
  readonly word?: string
  readonly type?: RedisType
  readonly ttl?: TtlClaim
}

/** A finding in the making: the line it is on. */
export type Slip = Omit<CheckFinding, "at" | "alsoLines"> & { readonly line: number; readonly claim?: PageClaim }

function ownerOf({ word }: PageKey, spellings: Spellings): OwnedSpelling | undefined {
  return spellings.owner(word) ?? (word.endsWith(":") ? spellings.owner(word.slice(0, -1)) : undefined)
}

/** Whether a word that no pattern owns is meant as a key. */
function meansKey({ word, how, command }: PageKey, spellings: Spellings): boolean {
  if (/[*…]|\.\.\./.test(word) || !/[A-Za-z]/.test(word) || spellings.isPart(word)) return false
  if (how === "declared" || command?.quoted === true) return true
  const parts = word.split(":")
  const placeholder = word.search(anything) >= 0
  // What follows a command in prose is a key only if it is built like one.
  if (how === "command" && parts.length === 1)
    return placeholder || (/[_.-]/.test(word) && spellings.near(word) !== undefined)
  if (how === "command") return parts.at(-1) !== ""
  const named = /[A-Za-z]/.test(parts[0] as string) && parts.length > 1 && parts.at(-1) !== ""
  return named && (placeholder || spellings.knownHead(word))
}

function unknown({ word, line }: PageKey, spellings: Spellings): Slip {
  const shown = line.restore(word)
  const near = spellings.near(word)
  if (!near) {
    return {
      code: "PAGE.UNKNOWN_KEY",
      severity: "error",
      line: line.number,
      message: `no pattern owns ${shown}`,
      claim: { word },
      why: "The page mentions keys that the schema does not have.",
      fix: "Declare it, or correct the page.",
    }
  }
  return {
    code: "PAGE.SPELLED_DIFFERENTLY",
    severity: "error",
    line: line.number,
    claim: { word },
    message: `${shown} is spelled ${near.key.pattern} in the schema${/\s/.test(word) ? ", without a space" : ""}`,
    why: "Anybody who copies it from the page writes another key.",
    name: near.key.name,
    pattern: near.key.pattern,
    fix: "Spell it on the page as in the schema.",
  }
}

function contradiction({ line, command }: PageKey, { key }: OwnedSpelling): Slip[] {
  const type = redisTypes[key.kind]
  if (command?.type === undefined || command.type === type) return []
  return [
    {
      code: "PAGE.WRONG_TYPE",
      severity: "error",
      line: line.number,
      claim: { type: command.type },
      message: `${command.shown} is a command for a ${command.type}; ${key.pattern} is a ${type}`,
      why: "The server would answer WRONGTYPE.",
      name: key.name,
      pattern: key.pattern,
      fix: "Use a command of the declared type.",
    },
  ]
}

const wrongType = (
  line: number,
  { word, line: at }: PageKey,
  { key }: OwnedSpelling,
  says: string,
  type: RedisType,
): Slip => ({
  code: "PAGE.WRONG_TYPE",
  severity: "error",
  line,
  claim: { type },
  message: `the page calls ${at.restore(word)} "${says.trim()}"; it is declared as ${redisTypes[key.kind]}`,
  name: key.name,
  pattern: key.pattern,
  fix: "Name one type: the declared one.",
})

/** The findings of a page, by line; the same slip on several lines is one. */
export function mergedSlips<S extends Slip>(slips: readonly S[], file: string) {
  const groups = groupBy(
    slips.toSorted((a, b) => a.line - b.line),
    ({ code, message }) => `${code} ${message}`,
  )
  return [...groups.values()].map((own) => {
    const { line, claim: _, ...finding } = own[0]!
    const alsoLines = [...new Set(own.map((slip) => slip.line))].filter((other) => other !== line)
    return { ...finding, at: { file, line }, alsoLines }
  })
}
