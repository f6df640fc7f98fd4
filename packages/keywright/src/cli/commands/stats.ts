import { stats, type StatsResult } from "../../inspect/stats/stats.ts"
import { statsText } from "../../render/stats-text.ts"
import { type Call, type Handler, numberOption } from "../command.ts"
import { documentOf, exitOf, orPartial, type Walked } from "../interrupted.ts"
import { loadConfig } from "../load-config.ts"
import { walkOptions } from "../walk-options.ts"
import { withSource } from "../with-source.ts"

export const run: Handler = async (call) => {
  const walked = await count(call)
  const { out } = call
  if (out.json) out.document(documentOf(walked))
  else {
    const options = { all: call.options["all"] === true, width: out.width }
    out.show(walked.result, (shown, paint) => statsText(shown, options, paint))
  }
  return exitOf(call, walked, 0)
}

async function count(call: Call): Promise<Walked<StatsResult>> {
  const { keyspace, url } = await loadConfig(call)
  const top = numberOption(call, "top")
  const options = { ...walkOptions(call), ...(top !== undefined && { top }) }
  return withSource(call, url, (source) => orPartial(stats(keyspace, source, options)))
}
