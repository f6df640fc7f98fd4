import { parseAddress } from "../../driver/address.ts"
import { isSentinelAddress } from "../../driver/sentinel/sentinel-address.ts"
import { usageRefused } from "../../errors/cli.ts"
import type { StudioSystem } from "../../studio/server/open-system.ts"
import { startStudio } from "../../studio/server/start-studio.ts"
import { defined, type Handler, type Invocation, numberOption, withOptions } from "../command.ts"
import { type Config, loadConfig } from "../load-config.ts"
import { withServer } from "../open-server.ts"
import { declaredSchema, inferredSchema } from "../schema-for.ts"
import { schemaSide } from "../schema-side.ts"
import { spawn } from "node:child_process"

export const run: Handler = async (call) => {
  const { out, options } = call
  const port = numberOption(call, "port")
  if (port !== undefined && port > 65_535) throw usageRefused("--port takes a port", "For example: `--port 4000`.")
  const configs = await configsOf(call)
  const systems = configs === undefined ? await inferredSystems(call) : await declaredSystems(call, configs)
  const ending = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve())
  })
  const studio = await startStudio({
    systems,
    write: options["write"] === true,
    reveal: options["reveal"] !== false,
    ...defined({ port }),
    onError: (error) =>
      out.remark(
        `the studio failed with an internal error: ${error instanceof Error ? (error.stack ?? "") : String(error)}`,
      ),
  })
  if (out.json) out.document({ schemaVersion: 1, studio: studio.url })
  else out.text(`studio ${studio.url}`)
  out.note(`${options["write"] === true ? "it can change data" : "read-only"}; the link works once; Ctrl-C ends it`)
  if (options["open"] === true) openPage(studio.url)
  await ending
  await studio.close()
  return 0
}

async function declaredSystems(call: Invocation, configs: readonly Config[]): Promise<StudioSystem[]> {
  const urls = (call.options["url"] as readonly string[] | undefined) ?? []
  const systems: StudioSystem[] = []
  for (const [i, { keyspace, url: configured, rules, accept, levels }] of configs.entries()) {
    const given = withOptions(call, { url: urls[i] ?? urls.at(-1) })
    // Asked once, so that an address without a server is reported at once and not by an empty page.
    const server = await withServer(given, configured, async ({ url }) => url)
    const against = await comparedWith(given, i, keyspace.name)
    systems.push({ keyspace, server, ...defined({ rules, accept, levels, against }) })
  }
  return systems
}

/** One for each address; what is inferred stays in memory. */
async function inferredSystems(call: Invocation): Promise<StudioSystem[]> {
  if (call.options["against"] !== undefined)
    throw usageRefused(
      "--against compares two schemas, and there is none",
      "Pass --config <folder> or --schema <file>.",
    )
  const urls = (call.options["url"] as readonly (string | undefined)[] | undefined) ?? [undefined]
  const systems: StudioSystem[] = []
  for (const url of urls) {
    const { keyspace, inference } = await inferredSchema(withOptions(call, { url }))
    const server = url ?? (process.env["REDIS_URL"] as string)
    systems.push({ name: nameFor(server), keyspace, server, inference })
  }
  return systems
}

/** `redis://cache.example:6379/2` → `cache.example-6379-2` */
function nameFor(server: string): string {
  if (isSentinelAddress(server)) return "server"
  const { host, port, path, db } = parseAddress(server)
  return `${path === undefined ? `${host}-${port}` : "socket"}${db === 0 ? "" : `-${db}`}`
}

/** What --against names for this system: one for each, or one for all. */
async function comparedWith(call: Invocation, i: number, name: string | undefined): Promise<StudioSystem["against"]> {
  const given = (call.options["against"] as readonly string[] | undefined) ?? []
  const named = given[i] ?? given.at(-1)
  if (named === undefined) return undefined
  const configs = call.options["config"] as readonly string[] | undefined
  const { form, label } = await schemaSide(withOptions(call, { config: configs?.[i] }), named, name)
  return { form, label }
}

/** One for each --config, or what a single --schema or this folder has; undefined where there is none. */
async function configsOf(call: Invocation): Promise<readonly Config[] | undefined> {
  const given = (call.options["config"] as readonly string[] | undefined) ?? []
  if (given.length === 0) {
    const declared = await declaredSchema(call)
    return declared && [declared]
  }
  if (call.options["infer"] === true)
    throw usageRefused("--infer and --config name two schemas", "Leave one of them out.")
  const configs: Config[] = []
  for (const config of given) configs.push(await loadConfig(withOptions(call, { config })))
  return configs
}

/** Opens an address in the person's browser; where there is none, nothing happens: the address was printed. */
function openPage(url: string): void {
  const [command, ...args] =
    process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["explorer.exe"] : ["xdg-open"]
  const child = spawn(command!, [...args, url], { stdio: "ignore", detached: true })
  child.on("error", () => undefined)
  child.unref()
}
