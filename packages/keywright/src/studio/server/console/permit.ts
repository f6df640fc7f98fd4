/* Whether a command that was understood may be run on the keys that it names: secrets stay hidden,
 * what the schema keeps together is left to the editor, and no key is so large that it would hold
 * up the server. */

import { SAFE } from "../../../driver/safe.ts"
import { consoleRefused, consoleSecret, consoleTooLarge, consoleUnowned, readOnly } from "../../../errors/studio.ts"
import { asWire } from "../../../inspect/walk/wire.ts"
import type { KeyLink } from "../../api.ts"
import type { OwnedKey } from "../../../inspect/model/owning-patterns.ts"
import { onePer } from "../../../client/call/one-per.ts"
import type { OpenSystem } from "../open-system.ts"
import type { Understood } from "./understand.ts"
import type { Keyspace } from "../../../schema/keyspace.ts"

const MOST_BYTES = 4_194_304

export interface Permitted {
  readonly keys: readonly KeyLink[]
  /** Keys that the schema keeps together with others. */
  readonly kept: readonly KeyLink[]
}

export async function permit(
  system: OpenSystem,
  db: number,
  { name, command, keys }: Understood,
  write: boolean,
): Promise<Permitted> {
  const writes = command.access === "write"
  if (writes && !write) throw readOnly()
  const driver = system.driverOf(db)
  if (driver.cluster && command.rule.keys === "none" && (name === "SCAN" || name === "RANDOMKEY"))
    throw consoleRefused(name, "Every node of a cluster has its own; the list of a pattern covers all of them.")
  const places = keys.map((key) => {
    const wire = asWire(key)
    const owner = system.ownerOf(db, wire)
    return { wire, owner, link: system.link(db, wire, owner?.row) }
  })
  const kept: KeyLink[] = []
  for (const { wire, owner, link } of places) {
    if (system.isGuess(db, wire)) throw consoleSecret(link.key)
    if (writes && owner?.row.toolkit) throw consoleUnowned(link.key, "it is the toolkit's own")
    if (writes && owner === undefined && !command.meta)
      throw consoleUnowned(link.key, "no pattern of the schema owns it")
    if (writes && owner !== undefined && isKept(system, owner)) kept.push(link)
    else if (!command.meta && system.hides(owner)) throw consoleSecret(link.key)
  }
  if (command.whole && kept.length === 0 && places.length > 0) {
    const sizes = await driver.batch(
      places.map(({ wire }) => ["MEMORY", "USAGE", wire]),
      SAFE,
    )
    // Null: there is no such key. Any other reply that is not a number counts as too large.
    const bytes = sizes.reduce<number>((sum, size) => sum + (size === null ? 0 : Number(size)), 0)
    if (!(bytes <= MOST_BYTES)) throw consoleTooLarge(places[0]!.link.key)
  }
  return { keys: places.map(({ link }) => link), kept }
}

/** Records and their indexes, families, and keys that a rule compares with others. */
const isKept = (system: OpenSystem, { row: { declared } }: OwnedKey): boolean =>
  declared.entity !== undefined || declared.family !== undefined || ruledKeys(system.keyspace).has(declared.name)

/** The keys that a rule compares with others, by their names in the schema. */
const ruledKeys = onePer(({ keys, invariants }: Keyspace): ReadonlySet<string> => {
  const all = new Set(keys.map(({ name }) => name))
  return new Set(textsIn(invariants).filter((text) => all.has(text)))
})

/** Whatever kind of rule it is, it refers to keys by their names. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
