import { stats } from "../../inspect/stats/stats.ts"
import { statsText } from "../../render/stats-text.ts"
import { defined, type Handler, numberOption } from "../command.ts"
import { documentOf, exitOf, orPartial } from "../interrupted.ts"
import { schemaFor, withOrigin } from "../schema-for.ts"
import { walkOptions } from "../walk-options.ts"
import { withSource } from "../with-source.ts"

export const run: Handler = async (call) => {
  const { keyspace, url, inference } = await schemaFor(call)
  const counting = { ...walkOptions(call), ...defined({ top: numberOption(call, "top") }) }
  const walked = await withSource(call, url, (source) => orPartial(stats(keyspace, source, counting)))
  const { out } = call
  if (out.json) out.document(withOrigin(documentOf(walked), inference))
  else {
    const options = { all: call.options["all"] === true, width: out.width }
    out.show(walked.result, (shown, paint) => statsText(shown, options, paint))
  }
  return exitOf(call, walked, 0)
}
