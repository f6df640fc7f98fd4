/* keywright: from the arguments of a call to a command and its exit code. */

import { commands } from "./commands.ts"
import { fileUnwritable } from "../errors/file.ts"
import { printFailure } from "./failure.ts"
import { Output } from "./output.ts"
import { runProgram } from "./program.ts"

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough (`| head`) is not a failure.
  if (error.code === "EPIPE") process.exit(0)
  printFailure(fileUnwritable("standard output", error), new Output({ json: false, color: undefined }))
  process.exit(2)
})

// Everybody on the machine sees the arguments of a process: not for longer than it takes to read them.
if (process.argv.some((word) => word.includes("://"))) process.title = "keywright"

process.exitCode = await runProgram(commands, process.argv.slice(2))
