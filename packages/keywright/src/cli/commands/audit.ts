import { audit } from "../../inspect/audit/audit.ts"
import { findingCodes } from "../../inspect/audit/finding-codes.ts"
import { hasContradictions } from "../../inspect/audit/unconfirmed.ts"
import { sourceLines } from "../../inspect/check/source-lines.ts"
import { auditReports, auditText, groupedReports } from "../../render/audit-text.ts"
import { githubAnnotations } from "../../render/github.ts"
import { sarif } from "../../render/sarif.ts"
import { defined, type Handler, numberOption } from "../command.ts"
import { documentOf, exitOf, orPartial } from "../interrupted.ts"
import { schemaFor, withOrigin } from "../schema-for.ts"
import { version } from "../version.ts"
import { walkOptions } from "../walk-options.ts"
import { withSource } from "../with-source.ts"

export const run: Handler = async (call) => {
  const { keyspace, url, rules, accept, sources, inference } = await schemaFor(call)
  const { out } = call
  const options = { ...walkOptions(call), ...defined({ rules, accept, limit: numberOption(call, "limit") }) }
  const walked = await withSource(call, url, (source) => orPartial(audit(keyspace, source, options)))
  const { result } = walked
  const lines = sourceLines(keyspace, sources)
  const keys = new Map(keyspace.keys.map((key) => [key.name, key]))
  const reports = () =>
    auditReports(result, findingCodes, ({ target }) => {
      const key = target.name === undefined ? undefined : keys.get(target.name)
      return key && lines(key)
    })
  if (call.options["format"] === "sarif") out.document(sarif(reports(), version))
  else if (call.options["format"] === "github")
    out.annotations(githubAnnotations(groupedReports(reports(), result.findings)))
  else if (out.json) out.document(withOrigin(documentOf(walked), inference))
  else {
    const isPartial = walked.stopped !== undefined
    const options = { most: numberOption(call, "show") ?? 5, inferred: inference !== undefined, isPartial }
    out.show(result, (shown, paint) => auditText(shown, findingCodes, options, paint))
  }
  const isFailing = inference ? hasContradictions(result) : Object.keys(result.summary).length > 0
  return exitOf(call, walked, isFailing ? 1 : 0)
}
