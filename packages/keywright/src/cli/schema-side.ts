/* What `diff` compares: a schema from a file, from the folder of a config, from a revision of
 * git, or from a server; always in its JSON form. */

import { defined } from "../errors/defined.ts"
import { existsSync } from "node:fs"
import { relative } from "node:path"
import type { SourceFile } from "../inspect/check/source-lines.ts"
import { isKeywrightError, KeywrightError } from "../errors/error.ts"
import { usageRefused } from "../errors/cli.ts"
import type { KeyspaceForm } from "../schema/json/form.ts"
import { toJson } from "../schema/json/to-json.ts"
import type { Invocation } from "./command.ts"
import { isRevision, withRevision } from "./git-revision.ts"
import { loadConfig } from "./load-config.ts"
import { schemaOnServer } from "./schema-on-server.ts"

export interface SchemaSide {
  readonly form: KeyspaceForm
  /** As people name it: `"HEAD~1:schema.ts"`. */
  readonly label: string
  /** Where it is written, for line numbers; nothing for a server. */
  readonly sources: readonly SourceFile[]
  /** The server has none stored, and this was inferred from its keys. */
  readonly inferred?: true
  readonly url?: string
}

/** `other` is the name of the keyspace on the other side, where it is known. */
export async function schemaSide(call: Invocation, given: string | undefined, other?: string): Promise<SchemaSide> {
  if (given === undefined) return fromFile(call, undefined)
  if (/^(?:rediss?|unix):\/\//.test(given)) return schemaOnServer(call, given, other)
  if (/^\w+:\/\//.test(given))
    throw usageRefused(
      `${given.split("://")[0]}:// is not a place of schemas`,
      "Use a file, a revision of git, or redis://…",
    )
  if (given.startsWith("git:")) return fromGit(call, given.slice(4))
  if (existsSync(given.split("#")[0] as string)) return fromFile(call, given)
  return isRevision(given) ? fromGit(call, given) : fromFile(call, given)
}

/** Whether it is a server: servers are read last, when the name of the other side is known. */
export const isServer = (given: string | undefined): boolean => given !== undefined && /^\w+:\/\//.test(given)

async function fromFile(call: Invocation, path: string | undefined): Promise<SchemaSide> {
  const { keyspace, file, sources } = await loadConfig(path === undefined ? call : callFor(call, path))
  return { form: toJson(keyspace), label: path ?? file, sources }
}

/** A schema file, or the folder of a config. */
export function callFor(call: Invocation, path: string): Invocation {
  const isSchema = /\.(?:[cm]?[jt]s|json)(?:#\w+)?$/.test(path) && !/keywright\.config\./.test(path)
  const { config: _, schema: __, ...options } = call.options
  return { ...call, options: { ...options, ...(isSchema ? { schema: path } : { config: path }) } }
}

async function fromGit(call: Invocation, given: string): Promise<SchemaSide> {
  const colon = given.indexOf(":")
  const [revision, path] = colon < 0 ? [given, undefined] : [given.slice(0, colon), given.slice(colon + 1)]
  const [file, name] = (path ?? defaultPath(call)).split("#") as [string, string | undefined]
  return withRevision(revision, file, async ({ folder, path: inFolder, label }) => {
    const place = name === undefined ? inFolder : `${inFolder}#${name}`
    const here = relative(process.cwd(), folder)
    // What is read here is a copy; messages name what it is a copy of.
    const original = (text: string) =>
      text.replaceAll(`${folder}/`, `${revision}:`).replaceAll(`${here}/`, `${revision}:`)
    try {
      const { keyspace, sources } = await loadConfig(callFor(call, place))
      const own = sources.map(({ file: at, text }) => ({ file: at.replace(`${here}/`, ""), text }))
      return { form: toJson(keyspace), label, sources: own }
    } catch (error) {
      if (!isKeywrightError(error)) throw error
      const { code, message, why, fix, details } = error
      throw new KeywrightError(code, original(message).includes(label) ? original(message) : `${label}: ${message}`, {
        ...(why !== undefined && { why: original(why) }),
        ...defined({ fix, details }),
      })
    }
  })
}

const defaultPath = ({ options }: Invocation): string => (options["schema"] ?? options["config"] ?? ".") as string
