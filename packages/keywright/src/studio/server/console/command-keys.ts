/* The keys that a command touches, by the rule of the table. Undefined where the words do not fit the
 * rule: what cannot be understood completely is not sent. */

import type { ConsoleCommand, KeyRule } from "./commands.ts"

const COUNT = /^[1-9]\d{0,3}$/

/** `args`: the words after the name; a container's second word is part of that. */
export function keysOfCommand(command: ConsoleCommand, args: readonly Buffer[]): readonly Buffer[] | undefined {
  const texts = args.map((arg) => arg.toString("latin1"))
  if (command.never?.some((word) => texts.some((text) => text.toUpperCase() === word))) return undefined
  const keys = located(command.rule, texts, args)
  return keys?.every((key) => key.length > 0) === true ? keys : undefined
}

function located(rule: KeyRule, texts: readonly string[], args: readonly Buffer[]): readonly Buffer[] | undefined {
  switch (rule.keys) {
    case "none":
      return []
    case "one":
      return args.length >= 1 ? args.slice(0, 1) : undefined
    case "two":
      return args.length >= 2 ? args.slice(0, 2) : undefined
    case "only":
      return args.length === 1 ? args : undefined
    case "all":
      return args.length >= 1 ? args : undefined
    case "pairs":
      return args.length >= 2 && args.length % 2 === 0 ? args.filter((_, i) => i % 2 === 0) : undefined
    case "counted": {
      const count = texts[rule.at - 1]
      if (count === undefined || !COUNT.test(count) || args.length < rule.at + Number(count)) return undefined
      const keys = args.slice(rule.at, rule.at + Number(count))
      return rule.destination ? [args[0]!, ...keys] : keys
    }
    case "streams":
      return streamKeys(texts, args)
  }
}

/** `[COUNT n] STREAMS key … id …`, and nothing else. */
function streamKeys(texts: readonly string[], args: readonly Buffer[]): readonly Buffer[] | undefined {
  const from = texts[0]?.toUpperCase() === "COUNT" ? 2 : 0
  if (texts[from]?.toUpperCase() !== "STREAMS") return undefined
  const rest = args.slice(from + 1)
  return rest.length >= 2 && rest.length % 2 === 0 ? rest.slice(0, rest.length / 2) : undefined
}
