/* Entries that may have been renamed: a user at a terminal is asked. Where nobody can answer, in
 * scripts and in continuous integration, the question is printed and nothing waits. */

import { createInterface } from "node:readline/promises"
import type { RenameQuestion } from "../change/diff/match.ts"
import { oneLine } from "../render/printable.ts"

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Whether somebody can be asked: input and output are a terminal, and no program reads what is printed. */
export const canAsk = (
  { input, output }: Terminal,
  { isForPrograms, ci }: { readonly isForPrograms: boolean; readonly ci: string | undefined },
): boolean =>
  input.isTTY === true && output.isTTY === true && !isForPrograms && (ci === undefined || ci === "" || ci === "false")

/** The renames that were confirmed; anything but yes, including the end of the input, means no. */
export async function askRenames(
  questions: readonly RenameQuestion[],
  { input, output }: Terminal,
): Promise<Record<string, string>> {
  const renames: Record<string, string> = {}
  if (questions.length === 0) return renames
  const lines = createInterface({ input, output })
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)))
  try {
    for (const { before, after } of questions) {
      const asked = lines.question(`${oneLine(`Was ${before} renamed to ${after}?`)} [y/N] `)
      const answer = await Promise.race([asked, ended])
      if (answer === undefined) break
      if (/^y(?:es)?$/i.test(answer.trim())) renames[before] = after
    }
  } finally {
    lines.close()
  }
  return renames
}
