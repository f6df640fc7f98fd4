import { once } from "node:events"
import { exportKeys, type ExportResult, type ExportSource } from "../../change/copy/export-keys.ts"
import { usageRefused } from "../../errors/cli.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { countText } from "../../render/quantity.ts"
import { type Call, type Handler, textOption } from "../command.ts"
import { schemaFor } from "../schema-for.ts"
import { walkOptions } from "../walk-options.ts"
import { withSource } from "../with-source.ts"

export const run: Handler = async (call) => {
  const { keyspace, url } = await schemaFor(call)
  const result = await withSource(call, url, (source) => exportFrom(call, keyspace, source))
  const file = textOption(call, "out")
  const { keys, leftOut, unreadable } = result
  if (call.out.json && file !== undefined) call.out.document({ schemaVersion: 1, file, ...result })
  else call.out.note(`${countText(keys)} keys${file === undefined ? "" : ` in ${file}`}`)
  if (leftOut > 0)
    call.out.warn(`${countText(leftOut)} keys lack secrets, and will not be imported; --secrets takes them along`)
  if (unreadable > 0) call.out.warn(`${countText(unreadable)} keys could not be read from this file`)
  return unreadable > 0 ? 4 : 0
}

function exportFrom(call: Call, keyspace: Keyspace, source: ExportSource): Promise<ExportResult> {
  const { sample: _, resume: __, ...walking } = walkOptions(call)
  const only = call.options["only"] as readonly string[] | undefined
  for (const name of only ?? [])
    if (!keyspace.keys.some((row) => row.name === name || row.entity?.name === name))
      throw usageRefused(`the schema has no key ${JSON.stringify(name)}`, "see keywright stats --all for the names")
  const file = textOption(call, "out")
  const options = { ...walking, ...(only && { only }), secrets: call.options["secrets"] === true }
  return exportKeys(keyspace, source, file === undefined ? (text) => print(call, text) : { file }, options)
}

/** Waits for a slow reader. */
async function print({ out }: Call, text: string): Promise<void> {
  out.jsonText(text)
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain")
}
