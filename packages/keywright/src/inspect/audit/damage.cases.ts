/* Kinds of damage, each planted by raw commands in its own place, with what the audit
 * must say about it: how many findings of which codes, and not one more. */

import type { Command, Reply } from "../../driver/driver.ts"

export type Expected = Readonly<Record<string, number>>

export interface Damage {
  readonly name: string
  readonly expects: Expected
}

export type Raw = (...command: Command) => Promise<Reply>

/** Adds up what all damages together must give. */
export function totalOf(planted: readonly Damage[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const { expects } of planted)
    for (const [code, count] of Object.entries(expects)) total[code] = (total[code] ?? 0) + count
  return total
}

/** Shuffles, by chance. */
export function shuffled<T>(list: readonly T[], pick: (below: number) => number): T[] {
  const left = [...list]
  const mixed: T[] = []
  while (left.length > 0) mixed.push(...left.splice(pick(left.length), 1))
  return mixed
}
