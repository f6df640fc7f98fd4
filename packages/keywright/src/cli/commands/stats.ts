import type { Inference } from "../../inspect/infer/infer.ts"
import { stats, type StatsResult } from "../../inspect/stats/stats.ts"
import { statsText } from "../../render/stats-text.ts"
import { type Invocation, type Handler, numberOption } from "../command.ts"
import { documentOf, exitOf, orPartial, type Walked } from "../interrupted.ts"
import { schemaFor, withOrigin } from "../schema-for.ts"
import { walkOptions } from "../walk-options.ts"
import { withSource } from "../with-source.ts"

export const run: Handler = async (call) => {
  const { walked, inference } = await count(call)
  const { out } = call
  if (out.json) out.document(withOrigin(documentOf(walked), inference))
  else {
    const options = { all: call.options["all"] === true, width: out.width }
    out.show(walked.result, (shown, paint) => statsText(shown, options, paint))
  }
  return exitOf(call, walked, 0)
}

async function count(
  call: Invocation,
): Promise<{ readonly walked: Walked<StatsResult>; readonly inference: Inference | undefined }> {
  const { keyspace, url, inference } = await schemaFor(call)
  const top = numberOption(call, "top")
  const options = { ...walkOptions(call), ...(top !== undefined && { top }) }
  const walked = await withSource(call, url, (source) => orPartial(stats(keyspace, source, options)))
  return { walked, inference }
}
