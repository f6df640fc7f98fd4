/* In which logical databases each system keeps its keys, and that no two systems share
 * one: their schemas collide (`cart:{x}` is a hash in one and a string in another). */

import type { System } from "./system.ts"
import { UsageError } from "./usage-error.ts"

interface Wanted {
  readonly system: System
  readonly settings: Readonly<Record<string, unknown>>
}

/** The databases of each system, in order: its `dbs` or `db`, else the address's when it is alone, else its own of the table. */
export function placesOf(wanted: readonly Wanted[], addressDb: number, force: boolean): number[][] {
  const places = wanted.map(({ system, settings }) => {
    if (system.onCluster?.(settings as never) === "one database") return [0]
    if (Array.isArray(settings["dbs"])) return settings["dbs"] as number[]
    if (typeof settings["db"] === "number") return [settings["db"]]
    return wanted.length === 1 ? [addressDb] : [...system.databases]
  })
  const owners = new Map<number, string>()
  for (const [i, numbers] of places.entries()) {
    const { name } = wanted[i]!.system
    for (const db of numbers) {
      const other = owners.get(db)
      if (other !== undefined && other !== name && !force) throw shared(db, other, name)
      owners.set(db, name)
    }
  }
  return places
}

const shared = (db: number, one: string, other: string) =>
  new UsageError(
    `${one} and ${other} would share database ${db}, where their keys collide: give one of them another with --set, or add --force`,
  )

/** The database that an address names: `redis://host:6379/3` → 3. */
export function databaseOf(address: string): number {
  const unix = /^[a-z+]*unix:/.test(address)
  const text = unix ? /[?&]db=(\d+)/.exec(address)?.[1] : /^[a-z]+:\/\/[^/?#]*\/(\d+)/.exec(address)?.[1]
  return Number(text ?? /[?&]db=(\d+)/.exec(address)?.[1] ?? 0)
}

/** The address of one server, even if it is a node of a cluster: which has database 0 and no other. */
export function onOneServer(address: string): string {
  if (!/^(?:redis|rediss|valkey|valkeys):\/\//.test(address) || /[?&]cluster=/.test(address)) return address
  return `${address}${address.includes("?") ? "&" : "?"}cluster=off`
}
