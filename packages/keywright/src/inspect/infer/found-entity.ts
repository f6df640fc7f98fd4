import { literalWords, type Pattern } from "./pattern.ts"
import { singular, wordsOf } from "./words.ts"

export interface FoundEntity {
  /** `"user"` */
  readonly name: string
  readonly pattern: Pattern
  readonly idField: string
  counter?: Pattern
  all?: Pattern
  readonly indexes: FoundIndex[]
}

export interface FoundIndex {
  name: string
  readonly unique: boolean
  /** The fields whose values its parameters are, in the order of the first pattern's parameters. */
  readonly fields: readonly string[]
  /** The first is read, the others are mirrors. */
  readonly patterns: Pattern[]
}

/** What every document that was tried must show; a few may be out of step. */
export const ENOUGH = 0.97

/** Whether the pattern's words name the entity. */
export function names({ row }: Pattern, { pattern }: FoundEntity): boolean {
  const words = wordsOf(row.pattern()).map((word) => singular(word).toLowerCase())
  return literalWords(pattern.row).every((word) => words.includes(singular(word).toLowerCase()))
}
