/* A printed proposal as its user has it: a file, loaded. */

import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { loadConfig } from "../../cli/load-config.ts"
import type { Output } from "../../cli/output.ts"
import type { CodecSpec } from "../../schema/codec/codec-spec.ts"
import { toJson } from "../../schema/json/to-json.ts"
import type { Keyspace } from "../../schema/keyspace.ts"

const modules = fileURLToPath(new URL("../../../../../node_modules", import.meta.url))

/** A folder from which the packages can be imported; `load` returns the keyspace of a text. */
export async function sourceFolder() {
  const folder = await mkdtemp(join(tmpdir(), "keywright-proposals-"))
  await symlink(modules, join(folder, "node_modules"))
  let files = 0
  return {
    async load(source: string): Promise<Keyspace> {
      const schema = join(folder, `proposal${files++}.ts`)
      await writeFile(schema, source)
      const call = { command: "", args: [], options: { schema }, out: undefined as unknown as Output }
      return (await loadConfig(call)).keyspace
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A keyspace as data, without what libraries say in other words: the schemas of documents. */
export const withoutDocuments = (keyspace: Keyspace): unknown =>
  JSON.parse(
    JSON.stringify(toJson(keyspace), (_, value: unknown) =>
      (value as CodecSpec | null)?.codec === "json" ? { codec: "json" } : value,
    ),
  )
