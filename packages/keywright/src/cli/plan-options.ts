/* Options of the commands that use a plan. */

import type { Option } from "./command.ts"

export const PLAN: readonly Option[] = [
  { flags: "-o, --out <file>", about: "where to save the plan (default: a new file here)" },
  { flags: "--apply [plan]", about: "carry out: a saved plan, or the one that is made now" },
  { flags: "--undo <plan>", about: "undo what a plan did; its journal is beside it" },
  { flags: "-y, --yes", about: "do not ask before it is carried out; without a terminal nobody is asked" },
  { flags: "--any-server", about: "carry out a saved plan on another server than the one it was made on" },
  { flags: "--show <n>", about: "how many actions of each kind to show (default: 5)", as: "count" },
]
