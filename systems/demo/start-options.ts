/* The command line of `npm start`. */

import { parseArgs } from "node:util"
import { UsageError } from "../platform/usage-error.ts"

export interface StartOptions {
  /** The systems to serve, in the order of the catalog. */
  readonly names: readonly string[]
  readonly port: number
  readonly studioPort: number
  /** An address; without one, the embedded engine. */
  readonly redis: string | undefined
  readonly seed: number
  readonly help: boolean
}

export const startUsage = (names: readonly string[]) => `usage: npm start -- [options]

  --only NAME       one system, or several with commas: ${names.join(", ")}
  --port N          port of the systems; when it is taken, the next free one (8080)
  --studio-port N   port of the studio; likewise (8081)
  --redis URL       an empty server to run on; without it, an engine in memory
  --seed N          which users come, and what they do (7)`

export function readStartOptions(args: readonly string[], known: readonly string[]): StartOptions {
  const fail = (what: string) => new UsageError(`${what}\n\n${startUsage(known)}`)
  const values = parsed(args, fail)
  const wanted = values.only === undefined ? known : values.only.flatMap((text) => text.split(","))
  for (const name of wanted) if (!known.includes(name)) throw fail(`no system "${name}"`)
  if (values.redis !== undefined && !/^(rediss?|unix):\/\/./.test(values.redis))
    throw fail("--redis takes an address: redis://, rediss:// or unix://")
  const number = (name: "port" | "studio-port" | "seed", most: number): number => {
    const text = values[name]
    if (!/^\d{1,9}$/.test(text) || Number(text) > most) throw fail(`--${name} takes a number from 0 to ${most}`)
    return Number(text)
  }
  return {
    names: known.filter((name) => wanted.includes(name)),
    port: number("port", 65_535),
    studioPort: number("studio-port", 65_535),
    redis: values.redis,
    seed: number("seed", 999_999_999),
    help: values.help,
  }
}

function parsed(args: readonly string[], fail: (what: string) => UsageError) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: "string", multiple: true },
        port: { type: "string", default: "8080" },
        "studio-port": { type: "string", default: "8081" },
        redis: { type: "string" },
        seed: { type: "string", default: "7" },
        help: { type: "boolean", default: false },
      },
    }).values
  } catch (error) {
    throw fail((error as Error).message)
  }
}
