/* The schema that a server has: the form that `keywright record` stored there; where there is
 * none, what is inferred from the keys. */

import { scanKeys } from "../client/call/scan.ts"
import { describeTarget } from "../client/target.ts"
import type { Driver } from "../driver/driver.ts"
import { otherSchema, storedSchemaBroken } from "../errors/diff.ts"
import { keyspaceTooSlow } from "../errors/keyspace.ts"
import { withinTime } from "../files/within-time.ts"
import { infer } from "../inspect/infer/infer.ts"
import type { KeyspaceForm } from "../schema/json/form.ts"
import { fromJson } from "../schema/json/from-json.ts"
import { recordedSchemaKey } from "../schema/toolkit-keys.ts"
import { type Invocation, withOptions } from "./command.ts"
import { withServer } from "./open-server.ts"
import type { SchemaSide } from "./schema-side.ts"

export async function schemaOnServer(call: Invocation, url: string, name: string | undefined): Promise<SchemaSide> {
  const label = describeTarget(url, {}).replace(/, as given$/, "")
  return withServer(withOptions(call, { url }), undefined, async ({ driver }) => {
    const stored = await driver.send(["GET", recordedSchemaKey(name)], { safe: true })
    if (typeof stored === "string") return { form: readStored(stored, label), label, sources: [], url }
    const others = await recordedNames(driver)
    if (others.length > 0) throw otherSchema(label, name, others)
    call.out.warn(`${label} has no schema stored (keywright record stores one): it is inferred from the keys`)
    const { form } = await infer(driver, {})
    return { form, label, sources: [], inferred: true as const, url }
  })
}

export function readStored(text: string, label: string, timeoutMs?: number): KeyspaceForm {
  try {
    const form = JSON.parse(text) as KeyspaceForm
    withinTime(() => fromJson(form), keyspaceTooSlow, timeoutMs)
    return form
  } catch (error) {
    throw storedSchemaBroken(label, error)
  }
}

async function recordedNames(driver: Driver): Promise<string[]> {
  const prefix = recordedSchemaKey("")
  // One is enough to say what is there.
  for await (const key of scanKeys(driver, `${prefix}*`)) return [key.slice(prefix.length)]
  return []
}
