import { checkPage } from "../../inspect/check/check-page.ts"
import {
  type CheckFinding,
  failing,
  type Rules,
  summary,
  withLevels,
  withRules,
} from "../../inspect/check/check-finding.ts"
import { checkPlacement } from "../../inspect/check/check-placement.ts"
import { checkSchema } from "../../inspect/check/check-schema.ts"
import { brokenSchema } from "../../inspect/check/check-broken.ts"
import { atomicityText } from "../../render/atomicity-text.ts"
import { findingsText } from "../../render/findings-text.ts"
import { githubAnnotations } from "../../render/github.ts"
import { oneLine } from "../../render/printable.ts"
import { sarif } from "../../render/sarif.ts"
import { clusterAtomicity } from "../../schema/cluster-atomicity.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import { usageRefused } from "../../errors/cli.ts"
import { checkPagesAndServer, type PageFinding } from "../../inspect/check/check-page-server.ts"
import { infer } from "../../inspect/infer/infer.ts"
import { schemaOf } from "../../inspect/stats/stats.ts"
import { pageCheckText } from "../../render/page-check-text.ts"
import { counted } from "../../render/quantity.ts"
import { fromJson } from "../../schema/json/from-json.ts"
import type { Invocation, ExitCode, Handler } from "../command.ts"
import { failureOf } from "../failure.ts"
import { exitOf } from "../interrupted.ts"
import { loadConfig, sourcesOf } from "../load-config.ts"
import { readPage } from "../named-file.ts"
import { version } from "../version.ts"
import { walkOptions } from "../walk-options.ts"
import { withReader } from "../with-source.ts"

export const run: Handler = async (call) => {
  if (call.options["url"] !== undefined || call.options["rdb"] !== undefined) return checkThree(call)
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

async function look(call: Invocation): Promise<Looked> {
  const pages = (call.options["doc"] as readonly string[] | undefined) ?? []
  const config = await loadConfig(call).catch(async (error: unknown) => {
    const finding = brokenSchema(failureOf(error), sourcesOf(call))
    if (finding === undefined || pages.length > 0) throw error
    return finding
  })
  if ("code" in config) return { keyspace: undefined, found: [config], levels: undefined }
  const { keyspace, sources, levels } = config
  const accepted = call.options["acceptSplit"] as readonly string[] | undefined
  const placed = call.options["cluster"] === true ? checkPlacement(keyspace, accepted, sources) : []
  if (pages.length === 0) return { keyspace, found: [...checkSchema(keyspace, sources), ...placed], levels }
  const found: CheckFinding[] = [...placed]
  for (const page of pages) found.push(...checkPage(keyspace, readPage(page)))
  return { keyspace, found, levels }
}

/** Pages, the schema and a server; without a schema, what the server's own keys are like. */
async function checkThree(call: Invocation): Promise<ExitCode> {
  const { out } = call
  const names = (call.options["doc"] as readonly string[] | undefined) ?? []
  if (names.length === 0)
    throw usageRefused(
      "check looks at a server only for a page",
      "Name the page with --doc. To compare schema and server, use `keywright audit`.",
    )
  const config = await loadConfig(call).catch((error: unknown) => {
    if (call.options["config"] !== undefined || call.options["schema"] !== undefined || !isMissing(error)) throw error
  })
  const pages = names.map(readPage)
  const walking = walkOptions(call)
  const { keyspace, check } = await withReader(call, config?.url, async (driver) => {
    const inferred = config === undefined ? await infer(driver, walking) : undefined
    const keyspace = config?.keyspace ?? (fromJson(inferred!.form) as Keyspace)
    const options = { ...walking, isInferred: config === undefined }
    const check = await checkPagesAndServer(keyspace, pages, driver, options)
    // Inferring takes more reads than checking.
    return { keyspace, check: { ...check, unreadable: inferred?.unreadable ?? check.unreadable } }
  })
  const findings = withLevels<PageFinding>(check.findings, config?.levels)
  const format = call.options["format"]
  if (format === "sarif") out.document(sarif(findings, version))
  else if (format === "github") out.annotations(githubAnnotations(findings))
  else if (out.json)
    out.document({
      schemaVersion: 1,
      schema: { ...schemaOf(keyspace), inferred: config === undefined },
      server: { keys: check.keys },
      findings,
      summary: summary(findings),
      unreadable: check.unreadable,
    })
  else if (findings.length > 0) out.show(findings, pageCheckText)
  else if (check.unreadable.length > 0) out.text(`${counted(check.keys, "key")}: no finding in what could be read`)
  else out.text(out.colour.green(`the page, the schema and the server agree: ${counted(check.keys, "key")}`))
  return exitOf(call, { result: check, stopped: undefined }, failing(findings) ? 1 : 0)
}

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === "CLI.CONFIG_MISSING"

function print({ out, options }: Invocation, keyspace: Keyspace | undefined, findings: readonly CheckFinding[]): void {
  const format = options["format"]
  if (format === "sarif") return out.document(sarif(findings, version))
  if (format === "github") return out.annotations(githubAnnotations(findings))
  const schema = keyspace && {
    name: keyspace.name ?? null,
    fingerprint: fingerprint(keyspace),
    keys: keyspace.keys.length,
  }
  const cluster = keyspace === undefined || options["cluster"] !== true ? undefined : clusterAtomicity(keyspace)
  if (out.json)
    return out.document({
      schemaVersion: 1,
      schema: schema ?? null,
      findings,
      summary: summary(findings),
      ...(cluster && { cluster }),
    })
  const clean = `${keyspace?.name ?? "schema"}: ${counted(keyspace?.keys.length ?? 0, "key pattern")}, no problems found`
  out.show(findings, (shown, paint) => (shown.length === 0 ? paint.green(oneLine(clean)) : findingsText(shown, paint)))
  if (cluster !== undefined && cluster.length > 0)
    out.show(cluster, (shown, paint) => `\n${atomicityText(shown, paint)}`)
}
