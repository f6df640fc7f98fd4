/* What may follow in a line of the console: commands first, then keys by their patterns, then the
 * values of a pattern's first parameter. */

import type { ConsoleCompletion } from "../../api.ts"
import type { Count } from "../counted.ts"
import { completions } from "../list-keys.ts"
import type { OpenSystem } from "../open-system.ts"
import { consoleCommands } from "./commands.ts"
import { splitWords, type ConsoleWord } from "./split-words.ts"
import { commandNamed } from "./understand.ts"

const MOST = 12

export async function completeLine(
  system: OpenSystem,
  count: Count | undefined,
  db: number,
  line: string,
): Promise<ConsoleCompletion> {
  const split = splitWords(line)
  if ("problem" in split) return { from: line.length, options: [] }
  const { words } = split
  const isNew = words.length === 0 || /\s$/.test(line)
  const current = isNew ? undefined : words.at(-1)
  const before = isNew ? words : words.slice(0, -1)
  const typed = current?.bytes.toString() ?? ""
  const from = current?.from ?? line.length
  const named = commandNamed(before)
  if (named === undefined) return { from, options: commandsLike(before, typed) }
  const { name, command, nameWords } = named
  const at = before.length - nameWords
  const hint = { name, access: command.access, usage: command.usage }
  const options = isKeyAt(command.rule.keys, at) && !/["']/.test(typed) ? await keysLike(system, count, db, typed) : []
  return { from, options, command: hint }
}

/** Names, or the second words of a container. */
function commandsLike(before: readonly ConsoleWord[], typed: string): ConsoleCompletion["options"] {
  const start = [...before.map(({ bytes }) => bytes.toString("latin1")), typed].join(" ").toUpperCase()
  const skip = before.length === 0 ? 0 : start.length - typed.length
  return [...consoleCommands]
    .filter(([name]) => name.startsWith(start) && (before.length === 0 || name.includes(" ")))
    .slice(0, MOST)
    .map(([name, { access, usage }]) => ({ text: name.slice(skip), about: `${access}: ${usage}`.trim() }))
}

const isKeyAt = (rule: string, at: number): boolean => {
  if (rule === "none") return false
  if (rule === "all") return true
  if (rule === "pairs") return at % 2 === 0
  return rule === "counted" || rule === "streams" ? at >= 1 : at <= (rule === "two" ? 1 : 0)
}

async function keysLike(
  system: OpenSystem,
  count: Count | undefined,
  db: number,
  typed: string,
): Promise<ConsoleCompletion["options"]> {
  const rows = [...system.model.keys.values()].filter((row) => row.db === db && !row.toolkit)
  const heads = rows.filter((row) => row.parts[0]!.startsWith(typed) && row.parts[0] !== typed)
  const found = new Map(heads.map((row) => [row.parts[0]!, row.declared.pattern]))
  for (const row of rows) {
    const [head = "", param, tail = ""] = row.parts
    if (param === undefined || !typed.startsWith(head) || (head === "" && typed === "") || found.size >= MOST) continue
    if (system.secretParams(row).has(param)) continue
    const prefix = typed.slice(head.length)
    const { values } = await completions(system, count, system.nameOf(row), param, { prefix, limit: MOST, filter: {} })
    for (const value of values) found.set(`${head}${value}${tail}`, row.declared.pattern)
  }
  // What a line would take apart is not offered.
  return [...found]
    .filter(([text]) => text !== "" && !/[\s"']/.test(text))
    .slice(0, MOST)
    .map(([text, about]) => ({ text, about }))
}
