/* Every command: data, and where its handler is. Only the one that is called is loaded. */

import { changingCommands } from "./changing-commands.ts"
import type { CliCommand } from "./command.ts"
import { readingCommands } from "./reading-commands.ts"
import { schemaCommands } from "./schema-commands.ts"
import { serverCommands } from "./server-commands.ts"

/** In the order in which the help lists them. */
export const commands: readonly CliCommand[] = [
  ...schemaCommands,
  ...readingCommands,
  ...changingCommands,
  ...serverCommands,
  {
    name: "completion",
    summary: "print a shell script that completes commands and options",
    about: "Prints a script for bash, zsh or fish.",
    arguments: [{ name: "shell", about: "bash, zsh or fish" }],
    needs: [],
    examples: [
      ["source <(keywright completion bash)", "in ~/.bashrc"],
      ["source <(keywright completion zsh)", "in ~/.zshrc"],
      ["keywright completion fish > ~/.config/fish/completions/keywright.fish", "once"],
    ],
    load: () => import("./commands/completion.ts"),
  },
]
