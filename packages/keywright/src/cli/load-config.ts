/* From --config or --schema to a keyspace, and to the files where it is written.
 *
 * The schema's `import … from "keywright"` is given this very toolkit, so that there is
 * one copy of it: its errors are recognised by class. A keyspace is nevertheless
 * recognised by its shape: a package that brings its own copy may have made it. */

import { existsSync, lstatSync, type Stats, statSync } from "node:fs"
import { dirname, extname, join, relative, resolve } from "node:path"
import { createJiti } from "jiti"
import {
  configForeign,
  configMissing,
  configRefused,
  fileMissing,
  schemaAmbiguous,
  schemaBroken,
  schemaNotFound,
} from "../errors/cli.ts"
import { jsonFormTwice } from "../errors/json-form.ts"
import { isKeywrightError } from "../errors/error.ts"
import { readText } from "../files/ordinary-file.ts"
import { keyspaceTooSlow } from "../errors/keyspace.ts"
import { withinTime } from "../files/within-time.ts"
import { fromJson } from "../schema/json/from-json.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { defined, type Invocation, textOption } from "./command.ts"
import { nameTwice } from "../files/name-twice.ts"
import { requireFile } from "./named-file.ts"
import { readSources } from "./read-sources.ts"
import type { AuditOptions } from "../inspect/audit/audit.ts"
import type { AuditRule } from "../inspect/audit/rules.ts"
import type { SourceFile } from "../inspect/check/source-lines.ts"

/** The level of a finding of check or doctor. */
export type FindingLevel = "off" | "note" | "warning" | "error"

export interface Config {
  readonly keyspace: Keyspace
  readonly url?: string
  /** The application's own rules, for audit and repair. */
  readonly rules?: readonly AuditRule[]
  /** Findings of audit to ignore, because the data is right. */
  readonly accept?: NonNullable<AuditOptions["accept"]>
  /** Levels of findings of check and doctor, by code. */
  readonly levels?: Readonly<Record<string, FindingLevel>>
  /** The path of the named file, relative to the working directory. */
  readonly file: string
  /** Its text and that of the files it imports, for line numbers. */
  readonly sources: readonly SourceFile[]
}

type Exported = Pick<Config, "keyspace" | "url" | "rules" | "accept" | "levels">

/** What a config is called; of several in a folder, the first counts. */
export const CONFIGS = ["ts", "mts", "js", "mjs", "json"].map((ending) => `keywright.config.${ending}`)
const LEVELS = new Set<unknown>(["off", "note", "warning", "error"])

/** The config that the call names, or the one in the working directory. */
export async function loadConfig(call: Invocation): Promise<Config> {
  const schema = textOption(call, "schema")
  const file = schema === undefined ? findConfig(textOption(call, "config") ?? ".") : undefined
  const [path, name] = file === undefined ? (schema as string).split("#") : [file, undefined]
  const full = resolve(path as string)
  requireFile(path as string)
  const shown = relative(process.cwd(), full) || (path as string)
  const [exported, sources] = [await loadFile(full, shown), readSources(full)]
  return { ...pick(exported, name, shown), file: shown, sources }
}

/** The files of a schema that could not be loaded: what is wrong with it can still be shown in place. */
export function sourcesOf(call: Invocation): readonly SourceFile[] {
  const schema = textOption(call, "schema")?.split("#")[0]
  return readSources(resolve(schema ?? findConfig(textOption(call, "config") ?? ".")))
}

function findConfig(given: string): string {
  if (!existsSync(given)) throw fileMissing(given)
  const folder = statSync(given)
  if (!folder.isDirectory()) return given
  const found = CONFIGS.map((name) => join(given, name)).find((path) => existsSync(path))
  if (found === undefined) throw configMissing(given === "." ? "this folder" : given)
  if (isForeign(found, folder)) throw configForeign(found)
  return found
}

/** Where everybody may put files, as in /tmp, is it the file of another user than this one and root? A config is code. */
function isForeign(path: string, folder: Stats): boolean {
  const user = process.getuid?.()
  const isShared = (folder.mode & 0o002) !== 0
  return isShared && user !== undefined && ![0, user].includes(lstatSync(path).uid)
}

async function loadFile(full: string, shown: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    if (extname(full) === ".json") return { default: loadJson(readText(full), shown) }
    const jiti = createJiti(join(dirname(full), "keywright-cli.js"), {
      fsCache: false,
      interopDefault: false,
      virtualModules: { keywright: await import("../index.ts") },
    })
    return await jiti.import<Record<string, unknown>>(full)
  } catch (error) {
    throw isKeywrightError(error) ? error : schemaBroken(shown, error)
  }
}

function loadJson(text: string, shown: string): Keyspace {
  const form: unknown = JSON.parse(text)
  const name = nameTwice(text)
  if (name !== undefined) throw jsonFormTwice(shown, name)
  return withinTime(() => fromJson(form), keyspaceTooSlow)
}

/** A config as default export, or a keyspace as any export. */
function pick(exported: Readonly<Record<string, unknown>>, name: string | undefined, shown: string): Exported {
  const names = Object.keys(exported).filter((one) => one !== "__esModule")
  if (name !== undefined) {
    if (!isKeyspace(exported[name])) throw schemaNotFound(`${shown}#${name}`, names)
    return { keyspace: exported[name] }
  }
  const config = exported["default"]
  if (isKeyspace(config)) return { keyspace: config }
  if (Object(config) === config && "keyspace" in (config as object))
    return checked(config as Record<string, unknown>, shown)
  const found = names.filter((one) => isKeyspace(exported[one]))
  if (found.length > 1) throw schemaAmbiguous(shown, found)
  const [only] = found
  if (only === undefined) throw schemaNotFound(shown, names)
  return { keyspace: exported[only] as Keyspace }
}

function checked(config: Readonly<Record<string, unknown>>, shown: string): Exported {
  const { keyspace, url, rules, accept, levels, ...rest } = config
  if (!isKeyspace(keyspace)) throw configRefused(shown, "keyspace is not what keyspace(…) returns")
  if (url !== undefined && typeof url !== "string") throw configRefused(shown, "url is not a text")
  if (rules !== undefined && !(Array.isArray(rules) && rules.every(isRule)))
    throw configRefused(shown, "rules is not a list of { code, of, check }")
  if (accept !== undefined && typeof accept !== "function") throw configRefused(shown, "accept is not a function")
  const odd = Object.entries((levels ?? {}) as object).find(([, level]) => !LEVELS.has(level))
  if (odd) throw configRefused(shown, `levels["${odd[0]}"] must be one of off, note, warning, error`)
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw configRefused(shown, `it has no setting ${unknown}`)
  return defined(config) as unknown as Exported
}

const isRule = (value: unknown): boolean => {
  const rule = value as Partial<AuditRule> | undefined
  return typeof rule?.code === "string" && typeof rule.of === "string" && typeof rule.check === "function"
}

const isKeyspace = (value: unknown): value is Keyspace => {
  const some = value as Partial<Keyspace> | undefined
  return Object(value) === value && Array.isArray(some?.keys) && Array.isArray(some.invariants) && "entries" in some
}
