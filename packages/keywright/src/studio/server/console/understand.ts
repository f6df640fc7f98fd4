/* From a line to a command that may be sent: every word understood, every key known. What is not
 * certain to be harmless is refused here, before anything reaches the server. */

import { consoleRefused, consoleSyntax } from "../../../errors/studio.ts"
import { type ConsoleCommand, consoleCommands, whyNever } from "./commands.ts"
import { keysOfCommand } from "./command-keys.ts"
import { splitWords, type ConsoleWord } from "./split-words.ts"

export interface Understood {
  /** `"OBJECT ENCODING"` */
  readonly name: string
  readonly command: ConsoleCommand
  readonly words: readonly Buffer[]
  readonly keys: readonly Buffer[]
}

const MOST_COUNT = 1000
const MOST_STARS = 8

/** The command that the first words name, and how many of them do. */
export function commandNamed(
  words: readonly ConsoleWord[],
): { readonly name: string; readonly command: ConsoleCommand; readonly nameWords: number } | undefined {
  const [first = "", second] = words.slice(0, 2).map(({ bytes }) => bytes.toString("latin1").toUpperCase())
  // A name is letters: one with a space in it, in quotes, is not mistaken for two words.
  if (!/^[A-Z_]+$/.test(first)) return undefined
  const single = consoleCommands.get(first)
  if (single !== undefined) return { name: first, command: single, nameWords: 1 }
  const name = `${first} ${second ?? ""}`
  const command = second !== undefined && /^[A-Z]+$/.test(second) ? consoleCommands.get(name) : undefined
  return command && { name, command, nameWords: 2 }
}

export function understand(line: string): Understood {
  const split = splitWords(line)
  if ("problem" in split) throw consoleSyntax(split.problem)
  const { words } = split
  const [first] = words
  if (first === undefined) throw consoleSyntax("the line is empty")
  const named = commandNamed(words)
  if (named === undefined) {
    const name = first.bytes.toString("latin1").toUpperCase()
    throw consoleRefused(/^[A-Z_]{1,30}$/.test(name) ? name : "this command", whyNever(name))
  }
  const { name, command, nameWords } = named
  const args = words.slice(nameWords).map(({ bytes }) => bytes)
  const keys = keysOfCommand(command, args)
  if (keys === undefined) throw consoleSyntax(`expected ${name} ${command.usage}`)
  if (name.endsWith("SCAN")) requireGentle(args)
  // A large field, asked for a hundred thousand times in one line, takes all of the server's memory.
  if (name === "HMGET" && isRepeating(args.slice(1))) throw consoleSyntax("a field is given twice")
  return { name, command, words: [...name.split(" ").map((word) => Buffer.from(word)), ...args], keys }
}

const isRepeating = (words: readonly Buffer[]): boolean =>
  new Set(words.map((word) => word.toString("latin1"))).size < words.length

/** A scan is one page; a glob with many stars takes a server's time. */
function requireGentle(args: readonly Buffer[]): void {
  const texts = args.map((arg) => arg.toString("latin1"))
  texts.forEach((text, i) => {
    const value = texts[i + 1] ?? ""
    if (/^count$/i.test(text) && !(/^\d{1,9}$/.test(value) && Number(value) <= MOST_COUNT))
      throw consoleSyntax(`COUNT is a number up to ${MOST_COUNT}`)
    if (/^match$/i.test(text) && (value.match(/\*/g)?.length ?? 0) > MOST_STARS)
      throw consoleSyntax(`a pattern with more than ${MOST_STARS} stars`)
  })
}
