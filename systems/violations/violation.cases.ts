/* What a document forbids, sentence by sentence: a row says the sentence in our words, the commands that break it in
 * data which the systems made themselves, what audit finds, and how repair sets that right. */

/** By itself; only with the option to delete such things; or by people, who know what was meant. */
type Repair = "always" | "broken" | "orphans" | "unknown" | "fields" | "conflicts" | "never"

/** Commands as redis-cli takes them, `'…'` around what has spaces; findings as code and key. */
export type Row = readonly [
  says: string,
  commands: string | readonly string[],
  finds: string | readonly string[],
  repair: Repair,
  /** Broken, found and undone before the others: they would be about what it takes away. */
  alone?: "alone",
]

export interface Violation {
  readonly says: string
  readonly commands: readonly (readonly string[])[]
  readonly finds: readonly string[]
  readonly repair: Repair
  readonly isAlone: boolean
  /** The logical database, where a system has several. */
  readonly db?: number
}

type Ask = (...command: string[]) => Promise<unknown>

/** What is planted depends on what is stored: tokens and ids are made by chance. */
export type Violations = (ask: Ask) => Promise<readonly Violation[]>

export const rows = (all: readonly Row[], db?: number): Violation[] =>
  all.map(([says, commands, finds, repair, alone]) => ({
    says,
    commands: [commands].flat().map(wordsOf),
    finds: [finds].flat(),
    repair,
    isAlone: alone !== undefined,
    ...(db !== undefined && { db }),
  }))

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)

/** The texts in a reply that is an array. */
export const texts = (reply: unknown): string[] => reply as string[]
