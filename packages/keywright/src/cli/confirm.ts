import { createInterface } from "node:readline/promises"
import { oneLine } from "../render/printable.ts"
import type { Invocation } from "./command.ts"

/** What a person types after a question. */
export async function answerTo(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await lines.question(question)).trim()
  } finally {
    lines.close()
  }
}

/** Asks a person at a terminal. Where nobody can answer, the call itself is the answer: yes. */
export async function confirmed({ options, out }: Invocation, question: string): Promise<boolean> {
  if (options["yes"] === true || out.json || process.stdin.isTTY !== true || process.stderr.isTTY !== true) return true
  return /^y(?:es)?$/i.test(await answerTo(`${oneLine(question)} [y/N] `))
}
