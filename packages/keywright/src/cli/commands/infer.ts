import { existsSync } from "node:fs"
import { usageRefused } from "../../errors/cli.ts"
import { writeText } from "../../files/ordinary-file.ts"
import { infer, type Inference } from "../../inspect/infer/infer.ts"
import { identifier } from "../../render/source/code.ts"
import { inferSource } from "../../render/source/infer-source.ts"
import { inferText, lacksText } from "../../render/infer-text.ts"
import { printable } from "../../render/printable.ts"
import { plainJson } from "../../schema/json/plain-json.ts"
import type { Library } from "../../render/source/source-documents.ts"
import { defined, type Handler, type Invocation, textOption, withOptions } from "../command.ts"
import { documentOf, exitOf, orPartial, type Walked } from "../interrupted.ts"
import { loadConfig } from "../load-config.ts"
import { requireFile } from "../named-file.ts"
import { withServer } from "../open-server.ts"
import { callFor } from "../schema-side.ts"
import { walkOptions } from "../walk-options.ts"

export const run: Handler = async (call) => {
  const { out } = call
  const walked = await look(call)
  const { result } = walked
  const source = printed(call, result)
  const file = textOption(call, "out")
  if (file !== undefined) writeText(file, source)
  if (out.json) out.document({ ...documentOf(walked), source })
  else {
    if (result.lacks !== undefined) out.text(lacksText(printable(result), out.colour))
    if (file === undefined && (result.lacks === undefined || result.patterns.length > 0)) out.text(source)
    out.remark(inferText(printable(result), out.errorColour))
    if (file !== undefined) out.note(`written: ${file}`)
  }
  const lacking = result.lacks?.some(({ what }) => what !== "keys") ?? false
  return exitOf(call, walked, lacking ? 1 : 0)
}

/** The proposal as text: TypeScript, or the JSON form. */
export function printed(call: Invocation, inference: Inference): string {
  if (textOption(call, "format") === "json") return `${plainJson(JSON.stringify(inference.form, undefined, 2))}\n`
  const library = textOption(call, "library") as Library | undefined
  const name = textOption(call, "name")
  const constant = name === undefined ? undefined : constantOf(name)
  return inferSource(inference, { ...defined({ library, constant }), day: new Date().toISOString().slice(0, 10) })
}

export const constantOf = (name: string): string => identifier(name, "schema")

export async function look(call: Invocation): Promise<Walked<Inference>> {
  const [given] = call.args
  const rdb = textOption(call, "rdb") ?? (given !== undefined && isFile(given) ? given : undefined)
  const compared = textOption(call, "against")
  const against = compared === undefined ? undefined : (await loadConfig(callFor(call, compared))).keyspace
  const options = { ...walkOptions(call), ...defined({ name: textOption(call, "name"), against }) }
  if (rdb !== undefined) {
    requireFile(rdb)
    if (options.match !== undefined || options.sample !== undefined)
      throw usageRefused("--match and --sample are for servers", "Leave them out: a file is read whole.")
    call.out.note(`file: ${rdb}`)
    return orPartial(infer({ rdb }, options))
  }
  const at = given === undefined ? call : withOptions(call, { url: given })
  return withServer(at, undefined, ({ driver }) => orPartial(infer(driver, options)))
}

const isFile = (text: string): boolean => !/^\w+:\/\//.test(text) && (text.endsWith(".rdb") || existsSync(text))
