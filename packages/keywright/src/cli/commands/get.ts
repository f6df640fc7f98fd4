import { usageRefused } from "../../errors/cli.ts"
import { shellLine } from "../../errors/shell-line.ts"
import { keyFormat } from "../../schema/key-format.ts"
import type { Handler } from "../command.ts"
import { schemaFor } from "../schema-for.ts"
import { keyNamed, paramsFrom } from "../named-key.ts"
import { show } from "./inspect.ts"

export const run: Handler = async (call) => {
  const config = await schemaFor(call)
  const [name = "", ...words] = call.args
  const key = keyNamed(config.keyspace, name)
  const params = paramsFrom(key, words)
  const missing = Object.keys(key.params).filter((param) => !(param in params))
  if (missing.length > 0)
    throw usageRefused(`${key.pattern} needs ${missing.join(", ")}`, callFix([name, ...words], missing))
  return show(call, config, keyFormat(key.pattern, key.params).build(params))
}

function callFix(given: readonly string[], missing: readonly string[]): string {
  const words = given.map((word) => shellLine`${word}`)
  const rest = missing.map((param) => `${param}=…`).join(" ")
  return words.includes(undefined) ? `Add ${rest}.` : `Run \`keywright get ${words.join(" ")} ${rest}\`.`
}
