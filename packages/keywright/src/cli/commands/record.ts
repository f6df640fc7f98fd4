import { describeTarget } from "../../client/target.ts"
import { oneLine } from "../../render/printable.ts"
import { fingerprint } from "../../schema/json/fingerprint.ts"
import { toJson } from "../../schema/json/to-json.ts"
import { recordedSchemaKey } from "../../schema/toolkit-keys.ts"
import type { Handler } from "../command.ts"
import { loadConfig } from "../load-config.ts"
import { withServer } from "../open-server.ts"

export const run: Handler = async (call) => {
  const { keyspace, url } = await loadConfig(call)
  const form = JSON.stringify(toJson(keyspace))
  const key = recordedSchemaKey(keyspace.name)
  await withServer(call, url, async ({ driver, url: at }) => {
    await driver.send(["SET", key, form])
    const server = describeTarget(at, {}).replace(/, as given$/, "")
    const schema = { name: keyspace.name ?? null, fingerprint: fingerprint(keyspace) }
    call.out.show({ schemaVersion: 1, key, schema, server }, () => `recorded as ${oneLine(key)} on ${server}`)
  })
  return 0
}
