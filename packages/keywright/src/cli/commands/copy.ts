import { copyKeys, type CopyResult } from "../../change/transfer/copy-keys.ts"
import { usageRefused } from "../../errors/cli.ts"
import { copyText } from "../../render/copy-text.ts"
import { countText } from "../../render/quantity.ts"
import { type Duration, toMs } from "../../schema/duration.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { withTag } from "../../schema/with-tag.ts"
import {
  defined,
  type ExitCode,
  type Handler,
  type Invocation,
  numberOption,
  textOption,
  withOptions,
} from "../command.ts"
import { loadConfig } from "../load-config.ts"
import { withServer } from "../open-server.ts"
import { runCommand } from "../run-command.ts"
import { timeoutMs } from "../walk-options.ts"

export const run: Handler = async (call) => {
  const [source, target] = [addressOf(call, "from"), addressOf(call, "to")]
  const { keyspace } = await loadConfig(call)
  const to = await otherPlacement(call, keyspace)
  const [pause, then] = [textOption(call, "pause"), textOption(call, "then")]
  if (then !== undefined && pause === undefined)
    throw usageRefused("--then is run while writers wait", "Say for how long they may wait: `--pause 30s`.")
  const stopping = new AbortController()
  // Writers may be waiting: before we end, they continue, and what --then has started ends.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)))
  const result = await withServer(withOptions(call, { url: source }), undefined, ({ driver: from }) =>
    withServer(withOptions(call, { url: target }), undefined, ({ driver }) =>
      copyKeys(keyspace, from, driver, {
        to,
        ...(pause !== undefined && { pauseMs: toMs(pause as Duration) }),
        ...(then !== undefined && { onEqual: () => runCommand(then, stopping.signal) }),
        ...defined({ rate: numberOption(call, "rate"), rounds: numberOption(call, "rounds") }),
        ...timeoutMs(call),
        foreign: call.options["foreign"] === true,
        modules: call.options["modules"] === true,
        overwrite: call.options["overwrite"] === true,
        signal: stopping.signal,
        onProgress: ({ round, progress: { keys, of, perSecond } }) =>
          call.out.progress(`round ${round}: ${countText(keys)} of ${countText(of)} keys, ${countText(perSecond)}/s`),
      }),
    ),
  )
  return print(call, result)
}

function addressOf(call: Invocation, name: "from" | "to"): string {
  const given = textOption(call, name) ?? process.env[`KEYWRIGHT_${name.toUpperCase()}`]
  if (!given) throw usageRefused(`copy needs --${name}`, "For example: `--from redis://… --to redis://…`.")
  return given
}

/** The schema as the target has it. */
async function otherPlacement(call: Invocation, keyspace: Keyspace): Promise<Keyspace> {
  const [schema, tag] = [textOption(call, "toSchema"), textOption(call, "toTag")]
  if (schema === undefined) return tag === undefined ? keyspace : withTag(keyspace, tag)
  if (tag !== undefined) throw usageRefused("--to-schema and --to-tag both say where keys go", "Leave one of them out.")
  return (await loadConfig({ ...call, options: { schema } })).keyspace
}

function print({ out, options }: Invocation, result: CopyResult): ExitCode {
  if (out.json) out.document({ schemaVersion: 1, ...result })
  else out.show(result, copyText)
  const left = options["foreign"] === true ? 0 : result.foreign - result.inTheWay
  if (left > 0) out.warn(`${countText(left)} keys that no pattern owns were not copied; --foreign includes them`)
  if (result.inTheWay > 0)
    out.warn(
      `${countText(result.inTheWay)} keys that no pattern of the source owns were not copied: a pattern of the target owns their names`,
    )
  for (const what of result.left ?? []) out.warn(what)
  if (!result.verified) out.warn("the two sides differ; run the same call again, with --pause if the source is in use")
  return result.verified && left + result.inTheWay === 0 ? 0 : 4
}
