/* Reading records: by id, through an index, all of them. Never one round trip per
 * record, and never a record that is not there any more or that an outdated index
 * entry points to. */

import type { Reply } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { indexUnknown, noList } from "../../errors/record.ts"
import type { Lane } from "../lane.ts"
import { findScript } from "../lua/index.ts"
import type { IndexKeys } from "./index-entries.ts"
import type { Loaded } from "./record-store.ts"
import type { Repository } from "./repository.ts"

const SAFE = { safe: true } as const

export interface ListOptions {
  readonly offset?: number
  readonly limit?: number
  /** Highest id, or for an ordered index highest score, first. */
  readonly reverse?: boolean
}

/** An ordered index takes bounds of its score as well: numbers, or dates. */
export interface RangeOptions extends ListOptions {
  readonly min?: number | Date
  readonly max?: number | Date
}

export async function loadOne(repository: Repository, id: string): Promise<Loaded | undefined> {
  return repository.load(id, await repository.lane.send(repository.read(repository.keyOf(id)), SAFE))
}

/** All at once: MGET, or for hashes and in a cluster one batch. In the order of the ids; undefined where there is none. */
export async function loadMany(
  repository: Repository,
  ids: readonly string[],
  lane: Lane = repository.lane,
): Promise<(Loaded | undefined)[]> {
  if (ids.length === 0) return []
  const keys = ids.map((id) => repository.keyOf(id))
  const { driver } = lane
  const replies =
    repository.store.type === "string" && !driver.cluster
      ? ((await lane.send(["MGET", ...keys], SAFE)) as Reply[])
      : await driver.batch(
          keys.map((key) => repository.read(key)),
          SAFE,
        )
  return replies.map((raw, i) => {
    if (raw instanceof KeywrightError) throw raw
    return repository.load(ids[i]!, raw)
  })
}

/** The one record that a unique index leads to. */
export async function findOne(
  repository: Repository,
  name: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Loaded | undefined> {
  const index = indexOf(repository, name, true)
  const key = index.declared[0]!.build({ ...repository.bound, ...fields })
  const { driver } = repository.lane
  let id: string | null
  let loaded: Loaded | undefined
  if (driver.cluster) {
    id = (await repository.lane.send(["GET", key], SAFE)) as string | null
    loaded = id === null ? undefined : await loadOne(repository, id)
  } else {
    const [command] = repository.read("")
    const found = (await repository.lane.script(
      findScript,
      [key],
      [repository.head, repository.tail, command!],
      SAFE,
    )) as [string, Reply] | null
    id = found && found[0]
    loaded = found ? repository.load(found[0], found[1]) : undefined
  }
  return loaded && leadsTo(repository, index, key, loaded) ? loaded : undefined
}

/** Ids of an index, in order: by number where ids are numbers, by score where the index has one. */
export async function listIds(
  repository: Repository,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  options: RangeOptions = {},
): Promise<string[]> {
  const index = indexOf(repository, name, false)
  const key = index.declared[0]!.build({ ...repository.bound, ...fields })
  if (index.index.score === undefined) {
    return page((await repository.lane.send(["SMEMBERS", key], SAFE)) as string[], options)
  }
  const { offset = 0, limit = -1, reverse = false } = options
  const [low, high] = [bound(options.min, "-inf"), bound(options.max, "+inf")]
  const range = [
    "ZRANGE",
    key,
    ...(reverse ? [high, low] : [low, high]),
    "BYSCORE",
    ...(reverse ? ["REV"] : []),
    "LIMIT",
    String(offset),
    String(limit),
  ]
  return (await repository.lane.send(range, SAFE)) as string[]
}

export async function listRecords(
  repository: Repository,
  name: string,
  fields: Readonly<Record<string, unknown>>,
  options?: RangeOptions,
): Promise<Loaded[]> {
  const index = indexOf(repository, name, false)
  const key = index.declared[0]!.build({ ...repository.bound, ...fields })
  const loaded = await loadMany(repository, await listIds(repository, name, fields, options))
  return loaded.filter((one): one is Loaded => one !== undefined && leadsTo(repository, index, key, one))
}

export async function allIds(repository: Repository, options?: ListOptions): Promise<string[]> {
  if (repository.list === undefined) throw noList(repository.name)
  return page((await repository.lane.send(["SMEMBERS", repository.list], SAFE)) as string[], options)
}

export async function allRecords(repository: Repository, options?: ListOptions): Promise<Loaded[]> {
  const loaded = await loadMany(repository, await allIds(repository, options))
  return loaded.filter((one): one is Loaded => one !== undefined)
}

export async function count(
  repository: Repository,
  name?: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  if (name === undefined) {
    if (repository.list === undefined) throw noList(repository.name)
    return (await repository.lane.send(["SCARD", repository.list], SAFE)) as number
  }
  const { declared, index } = indexOf(repository, name, false)
  const key = declared[0]!.build({ ...repository.bound, ...fields })
  return (await repository.lane.send([index.score === undefined ? "SCARD" : "ZCARD", key], SAFE)) as number
}

function indexOf(repository: Repository, name: string, unique: boolean): IndexKeys {
  const found = repository.indexes.find((index) => index.name === name && index.unique === unique)
  if (!found)
    throw indexUnknown(
      repository.name,
      name,
      repository.indexes.filter((index) => index.unique === unique).map((index) => index.name),
    )
  return found
}

/** Whether the record itself says that it stands in this index: an entry that another program left behind is passed over. */
const leadsTo = (repository: Repository, index: IndexKeys, key: string, { document }: Loaded): boolean =>
  repository.entriesOf(document).some((entry) => entry.index === index.name && entry.key === key)

const bound = (value: number | Date | undefined, otherwise: string): string =>
  value === undefined ? otherwise : String(Number(value))

function page(ids: string[], { offset = 0, limit, reverse = false }: ListOptions = {}): string[] {
  ids.sort(byId)
  if (reverse) ids.reverse()
  return ids.slice(offset, limit === undefined ? undefined : offset + limit)
}

/** Numbers by value and before all others; the others as text. */
function byId(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)]
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number.isNaN(x) && Number.isNaN(y) ? (a < b ? -1 : 1) : Number.isNaN(x) ? 1 : -1
  return x - y
}
