import { stats, type StatsResult } from "../../inspect/stats.ts"
import { statsText } from "../../render/stats-text.ts"
import { existsSync } from "node:fs"
import { fileMissing } from "../../errors/cli.ts"
import { type Call, type Handler, numberOption, textOption } from "../command.ts"
import { documentOf, exitOf, orPartial, type Walked } from "../interrupted.ts"
import { loadConfig } from "../load-config.ts"
import { withServer } from "../open-server.ts"
import { walkOptions } from "../walk-options.ts"

export const run: Handler = async (call) => {
  const walked = await count(call)
  const { out } = call
  if (out.json) out.document(documentOf(walked))
  else out.text(statsText(walked.result, { all: call.options["all"] === true, width: out.width }, out.colour))
  return exitOf(call, walked, 0)
}

async function count(call: Call): Promise<Walked<StatsResult>> {
  const { keyspace, url } = await loadConfig(call)
  const top = numberOption(call, "top")
  const options = { ...walkOptions(call), ...(top !== undefined && { top }) }
  const rdb = textOption(call, "rdb")
  if (rdb === undefined) return withServer(call, url, ({ driver }) => orPartial(stats(keyspace, driver, options)))
  if (!existsSync(rdb)) throw fileMissing(rdb)
  call.out.note(`file: ${rdb}`)
  return orPartial(stats(keyspace, { rdb }, options))
}
