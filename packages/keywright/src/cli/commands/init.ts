import { existsSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { usageRefused } from "../../errors/cli.ts"
import { inferText } from "../../render/infer-text.ts"
import { printable } from "../../render/printable.ts"
import { type Invocation, type Handler, textOption } from "../command.ts"
import { answerTo } from "../confirm.ts"
import { exitOf } from "../interrupted.ts"
import { constantOf, look, printed } from "./infer.ts"

const CONFIG = "keywright.config.ts"
const SCHEMA = "schema.ts"

/** Asks for the address, inspects the server, and writes the two files that everything else starts from. */
export const run: Handler = async (given) => {
  const taken = [CONFIG, SCHEMA].filter((file) => existsSync(file))
  if (taken.length > 0)
    throw usageRefused(
      `${taken.join(" and ")} ${taken.length === 1 ? "is" : "are"} there already`,
      "Use `keywright infer --out`, or another folder.",
    )
  const address = given.args[0] ?? textOption(given, "url") ?? process.env["REDIS_URL"] ?? (await asked())
  const name = textOption(given, "name") ?? "schema"
  const call: Invocation = { ...given, args: [address], options: { ...given.options, name } }
  const walked = await look(call)
  await writeFile(SCHEMA, printed(call, walked.result), { flag: "wx" })
  await writeFile(CONFIG, configText(address, constantOf(name)), { flag: "wx" })
  call.out.remark(inferText(printable(walked.result), call.out.errorColour))
  if (call.out.json) call.out.document({ schemaVersion: 1, files: [SCHEMA, CONFIG] })
  else call.out.text(`${SCHEMA} and ${CONFIG} are written; next: npx keywright audit, npx keywright docs --out docs`)
  return exitOf(call, walked, 0)
}

async function asked(): Promise<string> {
  if (process.stdin.isTTY !== true)
    throw usageRefused("no address was given", "For example: `keywright init redis://localhost:6379`.")
  return (await answerTo("Address of the server [redis://localhost:6379]: ")) || "redis://localhost:6379"
}

/** A password does not belong in a file. */
function configText(address: string, constant: string): string {
  const isOpen = /^(?:redis|rediss|unix):\/\/[^@]*$/.test(address)
  const url = isOpen ? `, url: ${JSON.stringify(address)}` : ""
  return `import { ${constant} } from "./schema.ts"\n\nexport default { keyspace: ${constant}${url} }\n`
}
