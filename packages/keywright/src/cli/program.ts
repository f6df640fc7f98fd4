/* The list of commands as a command line: commander reads the words, everything
 * that is printed or thrown goes through output.ts and failure.ts. */

import { Command as Program, CommanderError, Option as Flag } from "commander"
import { rdbMeant, usageRefused } from "../errors/cli.ts"
import { ADDRESS, INFER, withAddress } from "./address-argument.ts"
import type { CliCommand, ExitCode, Option } from "./command.ts"
import { exitCodeOf, printFailure } from "./failure.ts"
import { Output } from "./output.ts"
import { secretsIn } from "./secrets.ts"
import { version } from "./version.ts"

const SCHEMA: readonly Option[] = [
  { flags: "-c, --config <path>", about: "keywright.config.ts or its folder (default: this folder)" },
  { flags: "-s, --schema <file>", about: "a schema file (.ts or .json) instead; file#name if it exports several" },
]
const SERVER: readonly Option[] = [
  {
    flags: "-u, --url <address>",
    about: "redis://…, rediss://…, unix://… (default: REDIS_URL, then the config's url)",
  },
]
const COMMON: readonly Option[] = [
  { flags: "--json", about: "print JSON" },
  { flags: "--no-color", about: "print without colours, as NO_COLOR does" },
]

/** The options of a command, common ones included; a command may have its own version of a common option. */
export function optionsOf({ options = [], needs, address }: CliCommand): readonly Option[] {
  const common = [
    ...(needs.includes("schema") ? SCHEMA : []),
    ...(address === true ? [INFER] : []),
    ...(needs.includes("server") ? SERVER : []),
    ...COMMON,
  ].filter(({ flags }) => !options.some((own) => own.flags === flags))
  return [...options, ...common]
}

/** Runs one call to its end. Never throws. */
export async function runProgram(commands: readonly CliCommand[], words: readonly string[]): Promise<ExitCode> {
  const json = words.includes("--json")
  const out = new Output({ json, color: words.includes("--no-color") ? false : undefined })
  let code: ExitCode = 0
  const program = makeProgram(commands, async (command, args, options) => {
    const handler = await command.load()
    code = await handler.run(withAddress(command, { command: command.name, args, options, out }))
  })
  try {
    if (words.length === 0) {
      out.text(program.helpInformation())
      return 2
    }
    await program.parseAsync(words as string[], { from: "user" })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      printFailure(refusal(error, commands, words), out, secretsIn(words))
      return 2
    }
    printFailure(error, out, secretsIn(words))
    return exitCodeOf(error)
  }
}

type RunCommand = (
  command: CliCommand,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
) => Promise<void>

function makeProgram(commands: readonly CliCommand[], run: RunCommand): Program {
  const program = new Program("keywright")
    .description("Declare your Redis keyspace once; check, document and look after it.")
    .version(version, "-v, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand("help [command]", "show the help of a command")
    .showSuggestionAfterError(true)
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText("after", "\nExit codes: 0 clean, 1 findings, 2 usage, 3 no connection, 4 partial.\n")
  quiet(program)
  for (const command of commands) {
    const sub = program
      .command(command.name)
      .summary(command.summary)
      .description(command.about ?? command.summary)
      .helpOption("-h, --help", "show this help")
      .addHelpText("after", () => `\nExamples:\n${examplesText(command)}\n`)
    quiet(sub)
    for (const { name, about, optional } of [...(command.arguments ?? []), ...(command.address ? [ADDRESS] : [])])
      sub.argument(optional ? `[${name}]` : `<${name}>`, about)
    for (const option of optionsOf(command)) sub.addOption(flagOf(option))
    sub.action(async (...given: unknown[]) => {
      const args = given
        .slice(0, -2)
        .flat()
        .filter((arg): arg is string => typeof arg === "string")
      await run(command, args, sub.opts())
    })
  }
  return program
}

const examplesText = ({ examples }: CliCommand): string => {
  const width = Math.max(...examples.map(([call]) => call.length))
  return examples.map(([call, about]) => `  $ ${call.padEnd(width)}  ${about}`).join("\n")
}

/** Commander itself neither prints nor exits. */
const quiet = (program: Program): void => {
  program.exitOverride().configureOutput({ writeErr: () => undefined })
}

function flagOf({ flags, about, as, choices, many }: Option): Flag {
  const flag = new Flag(flags, about)
  if (choices) flag.choices([...choices])
  if (as) flag.argParser((text: string) => numberOf(flag.long ?? flags, text, as))
  if (many) flag.argParser((text: string, before: unknown) => [...((before as string[] | undefined) ?? []), text])
  return flag
}

function numberOf(name: string, text: string, as: NonNullable<Option["as"]>): number {
  const number = text.trim() === "" ? Number.NaN : Number(text)
  const good =
    number > 0 && number < Infinity && (as !== "share" || number <= 1) && (as !== "count" || Number.isInteger(number))
  const wanted = { number: "a number above 0", count: "a whole number above 0", share: "a share above 0 and up to 1" }[
    as
  ]
  if (!good)
    throw usageRefused(`${name} takes ${wanted}`, `For example: \`${name} ${as === "share" ? "0.1" : "100"}\`.`)
  return number
}

/** What to do with a file that a command does not read. */
function rdbFix(commands: readonly CliCommand[]): string {
  const reading = commands.filter(({ options = [] }) => options.some(({ flags }) => flags.startsWith("--rdb")))
  const names = reading.map(({ name }) => name).join(", ")
  return `Start a server with the file as its dump.rdb and name that with --url; ${names} read files.`
}

/**
 * Commander's error in our words: its message says what was found and, on the second line, what may have been meant.
 */
function refusal(error: CommanderError, commands: readonly CliCommand[], words: readonly string[]) {
  const [first = "", ...more] = error.message.replace(/^error: /, "").split("\n")
  // The value of an option that does not exist may be a password.
  const message = first.replace(/^(unknown option '[^=]*)=.*'$/s, "$1'")
  const meant = /Did you mean (.*)\?/.exec(more.join(" "))?.[1]
  const called = commands.find(({ name }) => words.includes(name))
  // Commander says nothing of a command that it has no help for.
  if (error.code === "commander.help")
    return usageRefused(`there is no command ${JSON.stringify(words.at(-1))}`, "See `keywright --help`.")
  if (message.includes("'--rdb'") && called !== undefined)
    return usageRefused(`${called.name} works on a server, not on a file`, rdbFix(commands))
  const file = words.find((word) => word.endsWith(".rdb"))
  if (message.includes("too many arguments") && file !== undefined) return usageRefused(message, rdbMeant(file))
  const help = `See \`keywright ${called ? `${called.name} --help` : "--help"}\`.`
  return usageRefused(message, meant === undefined ? help : `Did you mean ${meant}? ${help}`)
}
