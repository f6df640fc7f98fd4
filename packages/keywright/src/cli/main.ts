/* keywright: from the arguments of a call to a command and its exit code. */

import { commands } from "./commands.ts"
import { runProgram } from "./program.ts"

// A reader that has seen enough (`| head`) is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 2))

// Everybody on the machine sees the arguments of a process: not for longer than it takes to read them.
if (process.argv.some((word) => word.includes("://"))) process.title = "keywright"

process.exitCode = await runProgram(commands, process.argv.slice(2))
