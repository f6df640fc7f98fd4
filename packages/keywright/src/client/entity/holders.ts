/* Which sets of other records hold an id, for deleting it: the sets of many-to-many
 * relations that lead to its entity. */

import type { CallOptions, Command } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { recordLeftInSets } from "../../errors/record.ts"
import { clusterSlot } from "../../driver/cluster-slot.ts"
import { bounded } from "../call/deadline.ts"
import type { CallNotes } from "../call/notes.ts"
import { listOf } from "../call/reply.ts"
import type { ReadyKey } from "../call/ready-key.ts"
import { scanKeys } from "../call/scan.ts"
import { idFormOf } from "./id-form.ts"
import type { Holder, Repository } from "./repository.ts"
import type { ThroughSet } from "./through-sets.ts"

const PAGE = 1000

/**
 * Those that are changed in the same step as the record, and those that can only follow it, because they are in
 * another slot or too many.
 */
export interface Holders {
  readonly together: readonly Holder[]
  readonly after: readonly Holder[]
}

const none: Holders = { together: [], after: [] }

/** `created`: owners of an entity that the server does not have yet. */
export async function holdersOf(
  repository: Repository,
  id: string,
  notes?: CallNotes,
  created: (owner: string) => readonly string[] = () => [],
): Promise<Holders> {
  const { holding } = repository.through
  if (holding.length === 0) return none
  const options = bounded(repository.lane.driver, { ...notes, safe: true })
  const found = (
    await Promise.all(holding.map((through) => setsWith(repository, through, id, options, created)))
  ).flat()
  const { cluster } = repository.lane.driver
  const slot = cluster ? clusterSlot(repository.keyOf(id)) : 0
  const same = found.filter(({ key }) => !cluster || clusterSlot(key) === slot)
  const together = same.slice(0, PAGE)
  return { together, after: found.filter((holder) => !together.includes(holder)) }
}

/** Those of some keys that are sets which may hold ids of the entity. */
export function holdersAmong({ through, bound }: Repository, keys: readonly string[]): Holder[] {
  return through.holding.flatMap(({ set, param }) =>
    keys.flatMap((key): Holder[] => {
      const owner = set.format.locate(key)?.[param]
      if (owner === undefined || set.build({ ...bound, [param]: owner }) !== key) return []
      return [{ key, ...shapeOf(set) }]
    }),
  )
}

const shapeOf = ({ declared }: ReadyKey): Pick<Holder, "kind" | "form"> => ({
  kind: declared.kind === "zset" ? "zset" : "set",
  form: idFormOf(declared),
})

/** The command by which an id leaves a set. */
export const leaving = ({ key, kind, form }: Holder, id: string): Command => [
  kind === "set" ? "SREM" : "ZREM",
  key,
  ...form.forms(id),
]

/** Removes an id from sets that could not be part of the step that deleted it. The record is gone, whatever happens here. */
export async function leaveAfterwards(
  repository: Repository,
  id: string,
  holders: readonly Holder[],
  notes?: CallNotes,
): Promise<void> {
  if (holders.length === 0) return
  const options = bounded(repository.lane.driver, { ...notes, safe: true })
  let failure: unknown
  for (let at = 0; at < holders.length; at += PAGE) {
    const commands = holders.slice(at, at + PAGE).map((holder) => leaving(holder, id))
    const replies = await repository.lane.driver.batch(commands, options).catch((error: unknown) => [error])
    failure ??= replies.find((reply) => reply instanceof Error)
  }
  if (failure !== undefined) throw recordLeftInSets(repository.name, repository.shownId(id), failure)
}

async function setsWith(
  repository: Repository,
  { set, param, owner }: ThroughSet,
  id: string,
  options: CallOptions,
  created: (owner: string) => readonly string[],
): Promise<Holder[]> {
  const { lane, bound, context } = repository
  const { kind, form } = shapeOf(set)
  const list = context.ready.get(`${owner}#all`)
  const keys: string[] = []
  if (list) {
    const ids = (await lane.send(["SMEMBERS", list.build(bound)], options)) as string[]
    for (const one of [...idFormOf(list.declared).ids(ids), ...created(owner)])
      keys.push(set.build({ ...bound, [param]: one }))
  } else for await (const key of scanKeys(lane.driver, set.format.glob(bound), kind, options)) keys.push(key)
  const found: Holder[] = []
  for (let at = 0; at < keys.length; at += PAGE) {
    const page = keys.slice(at, at + PAGE)
    const asked = page.map((key): Command => [kind === "set" ? "SMISMEMBER" : "ZMSCORE", key, ...form.forms(id)])
    const replies = await lane.driver.batch(asked, options)
    replies.forEach((reply, i) => {
      if (reply instanceof KeywrightError) throw reply
      if (listOf(reply).some((one) => one !== 0 && one !== null)) found.push({ key: page[i]!, kind, form })
    })
  }
  return found
}
