import { checkPage } from "../../inspect/check-page.ts"
import { type CheckFinding, failing, type Rules, summary, withRules } from "../../inspect/check-finding.ts"
import { checkSchema } from "../../inspect/check-schema.ts"
import { brokenSchema } from "../../inspect/check-broken.ts"
import { atomicityText } from "../../render/atomicity-text.ts"
import { findingsText } from "../../render/findings-text.ts"
import { githubAnnotations } from "../../render/github.ts"
import { sarif } from "../../render/sarif.ts"
import { clusterAtomicity } from "../../schema/cluster-atomicity.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import type { Call, Handler } from "../command.ts"
import { failureOf } from "../failure.ts"
import { loadConfig, sourcesOf } from "../load-config.ts"
import { readPage } from "../read-page.ts"
import { version } from "../version.ts"

export const run: Handler = async (call) => {
  const { keyspace, found, levels } = await look(call)
  const findings = withRules(found, levels)
  print(call, keyspace, findings)
  return failing(findings) ? 1 : 0
}

interface Looked {
  readonly keyspace: Keyspace | undefined
  readonly found: readonly CheckFinding[]
  readonly levels: Rules | undefined
}

async function look(call: Call): Promise<Looked> {
  const pages = (call.options["doc"] as readonly string[] | undefined) ?? []
  const config = await loadConfig(call).catch(async (error: unknown) => {
    const finding = brokenSchema(failureOf(error), await sourcesOf(call))
    if (finding === undefined || pages.length > 0) throw error
    return finding
  })
  if ("code" in config) return { keyspace: undefined, found: [config], levels: undefined }
  const { keyspace, sources, levels } = config
  if (pages.length === 0) return { keyspace, found: checkSchema(keyspace, sources), levels }
  const found: CheckFinding[] = []
  for (const page of pages) found.push(...checkPage(keyspace, await readPage(page)))
  return { keyspace, found, levels }
}

function print({ out, options }: Call, keyspace: Keyspace | undefined, findings: readonly CheckFinding[]): void {
  const format = options["format"]
  if (format === "sarif") return out.document(sarif(findings, version))
  if (format === "github") return out.text(githubAnnotations(findings))
  const schema = keyspace && {
    name: keyspace.name ?? null,
    fingerprint: fingerprint(keyspace),
    keys: keyspace.keys.length,
  }
  const cluster = keyspace === undefined || options["doc"] !== undefined ? undefined : clusterAtomicity(keyspace)
  if (out.json)
    return out.document({
      schemaVersion: 1,
      schema: schema ?? null,
      findings,
      summary: summary(findings),
      ...(cluster && { cluster }),
    })
  const count = keyspace?.keys.length ?? 0
  const clean = `${keyspace?.name ?? "schema"}: ${count} key pattern${count === 1 ? "" : "s"}, nothing to remark`
  out.text(findings.length === 0 ? out.colour.green(clean) : findingsText(findings, out.colour))
  const inCluster = atomicityText(cluster ?? [], out.colour)
  if (inCluster !== "") out.text(`\n${inCluster}`)
}
