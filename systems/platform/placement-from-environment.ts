/* The schema of a system for the command line, in the placement of the data that are looked at. The command line has no
 * settings of a system, so those that place keys come from the environment, by the same names in capitals:
 *
 *   SHOP_SHARDS=1024 npx keywright audit --config systems/shop --url redis://127.0.0.1:7000 */

import { type Keyspace, withTag } from "keywright"
import type { Setting } from "./settings.ts"
import { UsageError } from "./usage-error.ts"

/** `fromEnvironment("shop", "shards", shardCount())`: what SHOP_SHARDS says; undefined when it says nothing. */
export function fromEnvironment<T>(system: string, name: string, { takes, read }: Setting<T>): T | undefined {
  const variable = `${system}_${name}`.toUpperCase()
  const text = process.env[variable]
  if (text === undefined || text === "") return undefined
  const value = read(text)
  if (value === undefined) throw new UsageError(`${variable} is not ${takes}`)
  return value
}

/** Under a hash tag, if there is one. */
export const underTag = (keyspace: unknown, tag: string | undefined): Keyspace =>
  tag === undefined ? (keyspace as Keyspace) : withTag(keyspace as Keyspace, tag)
