/* Whether a proposed schema says of keys what the patterns said when they were counted.
 * Names and codecs of parameters may differ from those of the patterns, and with them
 * who owns a key that two patterns can be. */

import { type Classifier, classifier } from "../../schema/classify.ts"
import type { Key } from "../../schema/key.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { keysOf } from "../databases.ts"
import type { DatabaseMiner } from "./database-miner.ts"
import type { Proposal } from "./proposal.ts"

export function agrees(keyspace: Keyspace, { names }: Proposal, miners: readonly DatabaseMiner[]): boolean {
  const owners = new Map<number, Classifier>()
  const ownerOf = (db: number, key: string): Key | undefined => {
    let own = owners.get(db)
    if (own === undefined) owners.set(db, (own = classifier(keysOf(keyspace, db, db))))
    return own.owner(key)?.key
  }
  return (
    [...names].every(([{ db, row, names: params }, name]) => {
      const pattern = row.pattern(params)
      const isOwn = (key: Key | undefined) => key?.pattern === pattern && (key.entity?.name ?? key.name) === name
      return [...row.types.values()].every(({ examples }) => examples.every((key) => isOwn(ownerOf(db, key))))
    }) &&
    miners.every(({ db, strangers }) =>
      [...strangers.groups.values()].every(({ examples }) => examples.every((key) => ownerOf(db, key) === undefined)),
    )
  )
}
