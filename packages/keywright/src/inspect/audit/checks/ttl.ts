/* Whether a key's TTL is as the schema declares it. */

import type { Command } from "../../../driver/driver.ts"
import { fromMs } from "../../../schema/duration.ts"
import { longestLife, type TtlRule } from "../../../schema/ttl.ts"
import type { FindingCodeName } from "../finding-codes.ts"
import { askDeadlines } from "./family.ts"
import { type KeyModel, nowOf } from "../../model/model.ts"
import type { CheckKind } from "./check.ts"

/** What reads the `ttl` of a subject. */
export const ttlCommandOf = ({ declared: { family } }: KeyModel): "PTTL" | "PEXPIRETIME" =>
  family === undefined ? "PTTL" : "PEXPIRETIME"

export const ttlCheck: CheckKind = ({ declared }, model) => {
  const rule = declared.ttl
  if (rule === undefined) return undefined
  const longest = longestOf(rule)
  const isFamily = declared.family !== undefined
  return (subject, inquiry) => {
    if (!subject.first) return
    // For a family, its deadline by the server's clock was read; the confirmation looks at PTTL.
    const left = isFamily && subject.ttl > 0 ? subject.ttl - nowOf(model) : subject.ttl
    const code = judge(rule, longest, left)
    if (code === undefined) return
    const { row, key } = subject
    const suspect = (fix: Command, ...more: Command[]) =>
      inquiry.suspect({
        code,
        row,
        key,
        expected: spellRule(rule),
        found: left === -1 ? "no TTL" : `a TTL of ${Math.round(left / 1000)} s`,
        reads: [["PTTL", key], ...more].map((command) => ({ db: row.db, command })),
        isStillWrong: ([now]) => judge(rule, longest, now as number) === code,
        fix: { db: row.db, commands: [fix] },
      })
    if (code === "TTL.UNEXPECTED") return suspect(["PERSIST", key])
    const whole: Command = ["PEXPIRE", key, String(longest === Infinity ? 0 : longest)]
    if (!isFamily || code !== "TTL.MISSING") return suspect(whole)
    askDeadlines(subject, inquiry, (leader) => {
      if (leader === undefined) return suspect(whole)
      const { first, before } = leader
      const others = [first.key, ...before.filter((one) => one !== key)]
      suspect(["PEXPIREAT", key, String(first.deadline)], ...others.map((one) => ["PEXPIRETIME", one]))
    })
  }
}

/** What is wrong with a TTL (as PTTL has it); undefined when it is as declared. */
export const ttlFault = (rule: TtlRule, left: number): FindingCodeName | undefined => judge(rule, longestOf(rule), left)

function judge(rule: TtlRule, longest: number, left: number): FindingCodeName | undefined {
  if (left === -2) return undefined
  if (left === -1)
    return rule.on === "never" || (rule.on === "choice" && rule.choices.includes("never")) ? undefined : "TTL.MISSING"
  if (rule.on === "never") return "TTL.UNEXPECTED"
  return left > longest ? "TTL.TOO_LONG" : undefined
}

/** Where nothing ends, any TTL is another finding than one that is too long. */
const longestOf = (rule: TtlRule): number => longestLife(rule) ?? (rule.on === "never" ? Infinity : 0)

function spellRule(rule: TtlRule): string {
  if (rule.on === "never") return "no TTL"
  if (rule.on === "choice")
    return rule.choices.map((choice) => (choice === "never" ? "no TTL" : `at most ${fromMs(choice)}`)).join(" or ")
  return `at most ${fromMs(rule.ms)}`
}
