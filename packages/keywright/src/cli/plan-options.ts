/* Options of the commands that use a plan. */

import type { Option } from "./command.ts"

export const PLAN: readonly Option[] = [
  { flags: "-o, --out <file>", about: "save the plan there (default: only shown; with --apply, a new file here)" },
  { flags: "--apply [plan]", about: "carry out a saved plan, or the one made now" },
  { flags: "--undo <plan>", about: "undo what a plan did, by the journal beside it" },
  { flags: "-y, --yes", about: "carry it out without asking, as is always done without a terminal" },
  { flags: "--any-server", about: "allow a saved plan that was made on another server" },
  { flags: "--show <n>", about: "how many actions of each kind to show (default: 5)", as: "count" },
]
