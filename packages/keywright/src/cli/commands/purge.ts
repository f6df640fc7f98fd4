import { planPurge, type PurgeOptions } from "../../change/make-plan/plan-purge.ts"
import { usageRefused } from "../../errors/cli.ts"
import { type Duration, toMs } from "../../schema/duration.ts"
import { runPlan } from "../change-plan.ts"
import { defined, type Handler, type Invocation, textOption } from "../command.ts"
import { loadConfig } from "../load-config.ts"
import { keyNamed } from "../named-key.ts"
import { walkOptions } from "../walk-options.ts"

export const run: Handler = async (call) => {
  const { keyspace, url } = await loadConfig(call)
  const only = call.args.map((name) => keyNamed(keyspace, name).name)
  const options = { ...optionsOf(call), ...(only.length > 0 && { only }) }
  return runPlan(call, { keyspace, url, databases: options.databases }, (driver) =>
    planPurge(keyspace, driver, options),
  )
}

function optionsOf(call: Invocation): PurgeOptions {
  const { sample: _, resume: __, ...walking } = walkOptions(call)
  const [idle, older] = ["idle", "older"].map((name) => textOption(call, name))
  const [field, ago] = older?.split("=") ?? []
  if (older !== undefined && ago === undefined)
    throw usageRefused("--older takes a field and how long ago", "For example: `--older createdAt=90d`.")
  return {
    ...walking,
    ...(call.options["unknown"] === true && { unknown: true }),
    ...(idle !== undefined && { idleMs: duration("--idle", idle) }),
    ...(older !== undefined && { older: { field: field!, ms: duration("--older", ago!) } }),
    ...defined({ ttl: call.options["ttl"] as PurgeOptions["ttl"] }),
    ...(call.options["keepUndo"] === true && { undo: true }),
  }
}

function duration(name: string, text: string): number {
  if (!/^\d+(ms|s|m|h|d)$/.test(text)) throw usageRefused(`${name} takes a duration`, `For example: \`${name} 90d\`.`)
  return toMs(text as Duration)
}
