import { usageRefused } from "../../errors/cli.ts"
import type { Handler } from "../command.ts"
import { commands } from "../commands.ts"
import { completionScript, isShell } from "../completion.ts"
import { optionsOf } from "../program.ts"

export const run: Handler = async ({ args: [shell = ""], out }) => {
  if (!isShell(shell))
    throw usageRefused(`there is no completion for ${JSON.stringify(shell)}`, "Use bash, zsh or fish.")
  const words = commands.map((command) => ({
    name: command.name,
    summary: command.summary,
    options: optionsOf(command).map(({ flags, about, choices }) => ({
      name: /--[\w-]+/.exec(flags)![0],
      about,
      takes: /[<[]/.test(flags),
      choices: choices ?? [],
    })),
  }))
  out.text(completionScript(shell, words))
  return 0
}
