import { inspectKey } from "../../inspect/model/inspect-key.ts"
import { defined, type Handler, type Invocation, numberOption, textOption } from "../command.ts"
import { type KnownSchema, schemaFor } from "../schema-for.ts"
import { databaseNumber } from "../walk-options.ts"
import { withReader } from "../with-source.ts"
import { inspectedText } from "../../render/inspected-text.ts"
import { printable } from "../../render/printable.ts"

export const run: Handler = async (call) => show(call, await schemaFor(call), call.args[0] as string)

/** Shows one key; exits with 1 when there is none, with 4 when not all of it could be read. */
export async function show(call: Invocation, { keyspace, url }: KnownSchema, key: string): Promise<0 | 1 | 4> {
  const { out } = call
  const db = textOption(call, "db")
  const found = await withReader(call, url, (driver) =>
    inspectKey(keyspace, driver, key, {
      ...(db !== undefined && { db: databaseNumber(db) }),
      ...defined({ elements: numberOption(call, "elements") }),
      secrets: call.options["secrets"] === true,
    }),
  )
  if (out.json) out.document(found)
  // The value is quoted by what shows it: as JSON, or as the text that it is.
  else out.text(inspectedText({ ...printable({ ...found, value: undefined }), value: found.value }, out.colour))
  if (found.unreadable !== undefined) return 4
  return found.type === "none" ? 1 : 0
}
