/* Reading the examples of a Markdown page: its ts, sh and console blocks.
 *
 *   ```ts            a file, type-checked. `// shop.ts` as its first line names it, so
 *                    that later blocks and commands can use it
 *   // → text        what the program prints. A block with such a comment is run; a
 *                    comment line below it that is indented further continues it
 *   // ✗ text        the compiler refuses this line and says so
 *   <!-- before …--> code above the block that readers need not see
 *   ```sh            commands, run in the folder of the files
 *   ```console       the same after `$ `, with what they print below
 *   … in expected text stands for anything; the word `no-run` after sh or
 *   console, or `run` after ts, overrides. */

import { stripVTControlCharacters } from "node:util"

export interface Example {
  readonly language: "ts" | "sh" | "console"
  readonly flags: readonly string[]
  readonly text: string
  /** Line of the page where it starts, to name it by. */
  readonly line: number
}

export interface Program {
  readonly file: string
  readonly text: string
  readonly line: number
  readonly runs: boolean
  readonly prints: string
  /** Line of the program → what the compiler says there. */
  readonly refused: ReadonlyMap<number, string>
}

export interface Command {
  readonly command: string
  readonly prints: string
  readonly line: number
}

const fence = /^(?:<!-- before\n([\s\S]*?)-->\n+)?```(ts|sh|console)\b([^\n]*)\n([\s\S]*?)^```$/gm

export function examplesIn(markdown: string): Example[] {
  return [...markdown.matchAll(fence)].map((match) => {
    const [, before = "", language, flags = "", body = ""] = match
    const line = markdown.slice(0, match.index + match[0].indexOf("```")).split("\n").length
    return {
      language: language as Example["language"],
      flags: flags.split(/\s+/).filter(Boolean),
      text: before + body,
      line,
    }
  })
}

export function toProgram({ text, flags, line }: Example): Program {
  const lines = text.split("\n")
  const prints: string[] = []
  const refused = new Map<number, string>()
  let inOutput = false
  for (const [index, content] of lines.entries()) {
    const output = /\/\/ → ?(.*)$/.exec(content)
    const more: RegExpExecArray | null = inOutput ? /^\s*\/\/ {3,}(.*)$/.exec(content) : null
    const error = /^(\s*)(.*?)\/\/ ✗ ?(.*)$/.exec(content)
    inOutput = output !== null || more !== null
    if (inOutput) prints.push((output ?? more)?.[1] ?? "")
    if (error !== null) refused.set(error[2] === "" ? index : index + 1, error[3] ?? "")
  }
  const runs = prints.length > 0 || flags.includes("run")
  return { file: nameIn(lines) ?? `line-${line}.ts`, text, line, runs, prints: prints.join("\n"), refused }
}

const nameIn = (lines: readonly string[]) =>
  lines.map((line) => /^\/\/ ([\w./-]+\.ts)$/.exec(line)?.[1]).find((name) => name !== undefined)

export function toCommands({ language, text, flags, line }: Example): Command[] {
  if (flags.includes("no-run")) return []
  const commands: { command: string; prints: string; line: number }[] = []
  for (const [index, content] of text.split("\n").entries()) {
    const last = commands.at(-1)
    const command = language === "sh" ? content.replace(/(^|\s)#.*$/, "") : /^\$ (.*)$/.exec(content)?.[1]
    if (last?.command.endsWith("\\")) last.command = `${last.command.slice(0, -1).trim()} ${content.trim()}`
    else if (command !== undefined) commands.push({ command: command.trim(), prints: "", line: line + 1 + index })
    else if (last !== undefined) last.prints += `${content}\n`
  }
  return commands.filter(({ command }) => command !== "").map((one) => ({ ...one, prints: one.prints.trimEnd() }))
}

/** Whether text was printed as expected: line breaks and widths do not matter, `…` matches anything. */
export function isPrinted(expected: string, printed: string, how: "whole" | "part"): boolean {
  const flat = (text: string) => stripVTControlCharacters(text).replace(/\s+/g, " ").trim()
  const pieces = flat(expected)
    .split("…")
    .map((piece) => piece.trim())
  const pattern = pieces.map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^]*?")
  return new RegExp(how === "whole" ? `^${pattern}$` : pattern).test(flat(printed))
}
