/* How well infer knows what other people's programs write: patterns against those that their authors had in mind, and
 * what audit finds by the proposal after other traffic. */

import { readFileSync } from "node:fs"
import { programs } from "../../../../../test/software/programs.mjs"
import type { Command, Driver } from "../../driver/driver.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import { audit } from "../audit/audit.ts"
import { infer, type Inference } from "./infer.ts"

export const programNames: readonly string[] = Object.keys(programs)

type Word = string | { readonly base64: string }
type Phase = "first" | "later"

/** What a program wrote, as commands. */
export function recordedCommands(program: string, phase: Phase): Command[] {
  const file = new URL(`../../../../../test/software/recorded/${program}.json`, import.meta.url)
  const recorded = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<Phase, readonly (readonly Word[])[]>>
  const bytes = (word: Word) => (typeof word === "string" ? word : Buffer.from(word.base64, "base64"))
  return recorded[phase].map((command) => lasting(command.map(bytes)))
}

/** Some keys live for seconds: here a hundred times as long, so that no pause of the machine loses them. */
const lasting = (command: Command): Command =>
  command[0] === "PEXPIRE" && Number(command[2]) < 60_000
    ? [command[0], command[1]!, `${String(command[2])}00`]
    : command

export interface Score {
  readonly f1: number
  readonly missed: readonly string[]
  readonly invented: readonly string[]
}

const anonymous = (pattern: string): string => pattern.replace(/\{\w+\}/g, "{}")

/** The patterns of some programs on one server. */
export function scoreOf({ patterns, form }: Inference, of: readonly string[]): Score {
  const wanted = new Set(of.flatMap((program) => programs[program]!.patterns))
  const known = new Set(fromJson(form).keys.map(({ pattern }) => anonymous(pattern)))
  const found = new Set(patterns.map(({ pattern, type }) => `${anonymous(pattern)} ${type}`))
  const declared = [...found].filter((one) => known.has(one.slice(0, one.lastIndexOf(" "))))
  const right = declared.filter((one) => wanted.has(one)).length
  const f1 = (2 * right) / (declared.length + wanted.size)
  return {
    f1,
    missed: [...wanted].filter((one) => !found.has(one)),
    invented: declared.filter((one) => !wanted.has(one)),
  }
}

export interface Aftermath {
  readonly keys: number
  /** What repair would change, even if somebody had confirmed the whole proposal. */
  readonly fixable: readonly string[]
  /** Findings that nothing can be done about, and that are wrong all the same: the programs were not damaged. */
  readonly others: readonly string[]
}

/** What audit says by a proposal of earlier. */
export async function aftermathOf({ form }: Inference, driver: Driver): Promise<Aftermath> {
  const { keys, findings } = await audit(fromJson(form), driver)
  const confirmed = await audit(fromJson({ ...form, inferred: false }), driver)
  const shown = ({ code, key, expected, found }: (typeof findings)[number]) =>
    `${code} ${key}: expected ${expected}, found ${found}`
  return {
    keys,
    fixable: [...findings, ...confirmed.findings].filter(({ fixable }) => fixable).map(shown),
    others: findings.filter(({ fixable }) => !fixable).map(shown),
  }
}

/** Infers after the first traffic, and audits after the second. */
export async function lived(
  of: readonly string[],
  driver: Driver,
  run: (program: string, phase: Phase) => Promise<unknown>,
): Promise<{ readonly score: Score; readonly aftermath: Aftermath; readonly inference: Inference }> {
  for (const program of of) await run(program, "first")
  const inference = await infer(driver)
  for (const program of of) await run(program, "later")
  return { score: scoreOf(inference, of), aftermath: await aftermathOf(inference, driver), inference }
}
