/* Whether a proposed schema says about keys what the patterns said when they were counted.
 * Names and codecs of parameters may differ from those of the patterns, and with them
 * the owner of a key that two patterns match. */

import { classifier } from "../../../schema/classify/classify.ts"
import type { Keyspace } from "../../../schema/keyspace.ts"
import { declaredKeys } from "../../walk/databases.ts"
import type { DatabaseMiner } from "../mine/database-miner.ts"
import type { Proposal } from "./proposal.ts"
import type { MinedRow } from "../mine/row.ts"

export function countsAgree(keyspace: Keyspace, { names }: Proposal, miners: readonly DatabaseMiner[]): boolean {
  const known = new Map(
    [...names].map(([{ row, names: params }, name]) => [row, { name, pattern: row.pattern(params) }]),
  )
  return miners.every((miner) => {
    const { owner } = classifier(declaredKeys(keyspace, miner.db, miner.db))
    return witnessesOf(miner).every(([key, row]) => {
      const said = owner(key)?.key
      if (row === undefined) return said === undefined
      const expected = known.get(row)
      return (
        expected === undefined ||
        (said?.pattern === expected.pattern && (said.entity?.name ?? said.name) === expected.name)
      )
    })
  })
}

const witnessesOf = ({ witnesses, rows, unowned }: DatabaseMiner): DatabaseMiner["witnesses"] => [
  ...witnesses,
  ...unowned.map((key): [string, undefined] => [key, undefined]),
  ...rows.flatMap((row) =>
    [...row.types.values()].flatMap(({ examples }) => examples.map((key): [string, MinedRow] => [key, row])),
  ),
]
