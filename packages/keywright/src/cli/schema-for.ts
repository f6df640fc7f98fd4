/* The schema of a command that also works without one: that of the config or of --schema; where
 * there is none, one that is inferred from the keys, which stays in memory. */

import type { Driver } from "../driver/driver.ts"
import { isKeywrightError } from "../errors/error.ts"
import { schemaNowhere, usageRefused } from "../errors/cli.ts"
import { Interrupted } from "../errors/inspect.ts"
import { infer, type Inference, type InferOptions } from "../inspect/infer/infer.ts"
import { countOf } from "../inspect/model/unreadable.ts"
import { shareText } from "../render/source/infer-source.ts"
import { counted } from "../render/quantity.ts"
import { fromJson } from "../schema/json/from-json.ts"
import type { Keyspace } from "../schema/keyspace.ts"
import { defined, type Invocation, textOption } from "./command.ts"
import { type Config, loadConfig } from "./load-config.ts"
import { walkOptions } from "./walk-options.ts"
import { withSource } from "./with-source.ts"

export interface KnownSchema extends Config {
  /** What the keyspace was inferred from, if nobody declared it. */
  readonly inference?: Inference
}

export async function schemaFor(call: Invocation): Promise<KnownSchema> {
  const declared = await declaredSchema(call)
  return declared ?? inferredSchema(call)
}

/** That of the config or of --schema; undefined where one has to be inferred. */
export async function declaredSchema(call: Invocation): Promise<Config | undefined> {
  const named = ["config", "schema"].find((name) => call.options[name] !== undefined)
  if (call.options["infer"] === true) {
    if (named !== undefined) throw usageRefused(`--infer and --${named} name two schemas`, "Leave one of them out.")
    return undefined
  }
  try {
    return await loadConfig(call)
  } catch (error) {
    if (named !== undefined || !isKeywrightError(error) || error.code !== "CLI.CONFIG_MISSING") throw error
    if (!hasSource(call)) throw schemaNowhere(call.command)
    return undefined
  }
}

const hasSource = ({ options }: Invocation): boolean =>
  options["url"] !== undefined || options["rdb"] !== undefined || Boolean(process.env["REDIS_URL"])

export async function inferredSchema(call: Invocation): Promise<KnownSchema & { readonly inference: Inference }> {
  const { out } = call
  const isAsked = call.options["infer"] === true
  const from = textOption(call, "rdb") === undefined ? "server" : "file"
  const options = inferOptions(call)
  const inference = await withSource(call, undefined, async (source) => {
    out.note(`${isAsked ? "" : "no keywright.config.ts here: "}the schema is inferred from the keys of this ${from}`)
    const found = await infer(source, options).catch(withoutPermission)
    const [refused] = found.unreadable
    if (refused !== undefined)
      out.warn(
        `inferred without ${counted(countOf(found.unreadable), "key")} that could not be read: ${refused.reason}`,
      )
    else if (!("rdb" in source) && options.match === undefined && found.sample === undefined) {
      const left = (await keysOn(source, options.databases)) - found.keys
      if (left > found.keys / 20)
        out.warn(`${counted(left, "key")} could not be read: this user may lack the permission`)
    }
    return found
  })
  const { keys, explained, patterns, form } = inference
  if (keys === 0) out.warn(`this ${from} has no keys: there is nothing to infer`)
  else {
    const share = shareText(explained, keys)
    out.note(`inferred: ${counted(keys, "key")}, ${counted(patterns.length, "pattern")}, ${share} explained`)
    out.note("to keep and correct it: keywright init, or keywright infer --out schema.ts")
  }
  return { keyspace: fromJson(form) as Keyspace, file: "", sources: [], inference }
}

/** A walk that is forbidden is not one that can be continued. */
function withoutPermission(error: unknown): never {
  const cause = error instanceof Interrupted ? error.cause : undefined
  throw isKeywrightError(cause) && cause.code === "SERVER.NOPERM" ? cause : error
}

/** How many keys the server says that it has; 0 where it does not say. */
async function keysOn(driver: Driver, databases: readonly number[] | undefined): Promise<number> {
  if (driver.cluster) return 0
  const [info] = await driver.batch([["INFO", "keyspace"]], { safe: true })
  const lines = typeof info === "string" ? [...info.matchAll(/^db(\d+):keys=(\d+)/gm)] : []
  const wanted = lines.filter(([, db]) => databases === undefined || databases.includes(Number(db)))
  return wanted.reduce((sum, [, , keys]) => sum + Number(keys), 0)
}

/** The walk that infers is a whole one: of a file always, of a server unless the call is about a part of its keys. */
function inferOptions(call: Invocation): InferOptions {
  const { resume: _, match, sample, ...walking } = walkOptions(call, "inferring the schema, ")
  // The sample of top is a share of the time.
  const isPart = textOption(call, "rdb") === undefined && call.command !== "top"
  return { ...walking, ...(isPart && defined({ match, sample })) }
}

/** A result for programs says when nobody declared its schema. */
export const withOrigin = (document: object, inference: Inference | undefined): object =>
  inference === undefined || !("schema" in document)
    ? document
    : { ...document, schema: { ...(document.schema as object), inferred: true } }
