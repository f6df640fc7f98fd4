/* The address of a server as an argument: `keywright studio redis://…` is the same call as
 * `keywright studio --url redis://…`. */

import { printableAddress } from "../driver/address.ts"
import { rdbMeant, usageRefused } from "../errors/cli.ts"
import type { Invocation, CliCommand, Option } from "./command.ts"

export const ADDRESS = { name: "address", about: "redis://…, rediss://…, unix://…; the same as --url", optional: true }

export const INFER: Option = {
  flags: "--infer",
  about: "infer the schema from the keys, even if there is a keywright.config.ts here",
}

/** Moves the address from the arguments to the options. One that is left in the place of a key would be shown as the key. */
export function withAddress(command: CliCommand, call: Invocation): Invocation {
  const moved = movedAddress(command, call)
  const isTaken = command.arguments?.some(({ name }) => TAKE_ADDRESSES.has(name)) === true
  if (!isTaken && moved.args.some(isWithPassword))
    throw usageRefused("an address was given in the wrong place", "Name the server with --url.")
  return moved
}

const TAKE_ADDRESSES = new Set(["source", "old", "new"])

/** Whether a word is an address with a password, even if its host is missing, or an option of sentinels has it. */
const isWithPassword = (word: string): boolean =>
  /^(?:redis|valkey|unix)[a-z+-]{0,10}:\/\//i.test(word) && printableAddress(word).includes("…")

function movedAddress(command: CliCommand, call: Invocation): Invocation {
  const own = command.arguments?.length ?? 0
  if (command.address !== true || call.args.length <= own) return call
  const at = call.args.findIndex(isAddress)
  if (at < 0) throw notAnAddress(call.args.at(-1)!)
  if (call.options["url"] !== undefined)
    throw usageRefused("two addresses were given, one of them with --url", "Leave one of them out.")
  const address = call.args[at]!
  const isMany = command.options?.some(({ flags, many }) => many === true && flags.includes("--url")) === true
  return {
    ...call,
    args: call.args.filter((_, i) => i !== at),
    options: { ...call.options, url: isMany ? [address] : address },
    isPositional: true,
  }
}

const isAddress = (word: string): boolean => /^[a-z+-]+:\/\/|^(?:memory|local):$/i.test(word)

function notAnAddress(word: string) {
  if (word.endsWith(".rdb")) return usageRefused(`${word} is a file, not an address`, rdbMeant(word))
  const meant = /^[\w.-]+(?::\d+)?(?:\/\d+)?$/.test(word)
    ? `Did you mean redis://${word}?`
    : "For example: `redis://localhost:6379`."
  // What is before an @, and the settings of a connection string (`host,password=…`), may be a password.
  const shown = /:\/\/|@|=/.test(word) ? printableAddress(word.trim()) : JSON.stringify(word)
  return usageRefused(`${shown} is not the address of a server`, meant)
}
