import { once } from "node:events"
import { exportKeys, type ExportResult, type ExportSource } from "../../change/copy/export-keys.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { countText, counted } from "../../render/quantity.ts"
import { type Invocation, type Handler, textOption } from "../command.ts"
import { keyNamed } from "../named-key.ts"
import { schemaFor } from "../schema-for.ts"
import { walkOptions } from "../walk-options.ts"
import { withSource } from "../with-source.ts"

export const run: Handler = async (call) => {
  const { keyspace, url } = await schemaFor(call)
  const result = await withSource(call, url, (source) => exportFrom(call, keyspace, source))
  const file = textOption(call, "out")
  const { keys, leftOut, unreadable, unreadableReason } = result
  if (call.out.json && file !== undefined) call.out.document({ schemaVersion: 1, file, ...result })
  else call.out.note(`${countText(keys)} keys${file === undefined ? "" : ` in ${file}`}`)
  if (leftOut > 0)
    call.out.warn(`${countText(leftOut)} keys lack secrets, and will not be imported; --secrets includes them`)
  if (unreadable > 0)
    call.out.warn(
      `${counted(unreadable, "key")} could not be read: their lines have no value, and say why: ${unreadableReason ?? ""}`,
    )
  return unreadable > 0 ? 4 : 0
}

function exportFrom(call: Invocation, keyspace: Keyspace, source: ExportSource): Promise<ExportResult> {
  const { sample: _, resume: __, ...walking } = walkOptions(call)
  const isEntity = (name: string) => keyspace.keys.some((row) => row.entity?.name === name)
  const given = call.options["only"] as readonly string[] | undefined
  const only = given?.map((name) => (isEntity(name) ? name : keyNamed(keyspace, name).name))
  const file = textOption(call, "out")
  const options = { ...walking, ...(only && { only }), secrets: call.options["secrets"] === true }
  return exportKeys(keyspace, source, file === undefined ? (text) => print(call, text) : { file }, options)
}

/** Waits for a slow reader. */
async function print({ out }: Invocation, text: string): Promise<void> {
  out.jsonText(text)
  if (process.stdout.writableNeedDrain) await once(process.stdout, "drain")
}
