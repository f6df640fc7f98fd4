/* From a user's id, or the name of their database, to their record. Redis has no such
 * index: the catalogue has one, and a user that it does not know is looked for among all
 * records. One walk over them serves all who ask, and those who come meanwhile share the
 * next one. What is found is always compared with the record itself. */

import type { CartoContext } from "../context.ts"
import { namesOf, rowsOfDatabase, type Sql } from "../source/users.ts"
import { SourceUnavailable } from "../../platform/source.ts"
import { inBatches } from "../../platform/in-batches.ts"
import { tolerant } from "../../platform/tolerant.ts"
import type { UserRecord } from "./user-records.ts"

export type OwnerRecord = Partial<Pick<UserRecord, "id" | "database_name" | "map_key">>

type Fits = (owner: OwnerRecord) => boolean
/** By username. */
type OwnersByName = Map<string, OwnerRecord>
interface Search {
  readonly fits: Fits
  readonly found: OwnersByName
}

const AT_ONCE = 200
const MOST_KNOWN = 10_000

export function owners(context: CartoContext) {
  const { db, source } = context
  const unlessCorrupt = tolerant(context.lenient)
  const names = new Map<number, readonly string[]>()
  let waiting: Search[] = []
  let walking: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined

  const read = async (username: string): Promise<OwnerRecord> =>
    (await unlessCorrupt(db.users.user({ username }).getMany(["id", "database_name", "map_key"]))) ?? {}

  const owning = async (usernames: readonly string[], fits: Fits): Promise<OwnersByName> => {
    const found = await Promise.all(usernames.map(read))
    return new Map(usernames.flatMap((name, i) => (fits(found[i]!) ? [[name, found[i]!] as const] : [])))
  }

  const walk = async (searches: readonly Search[]): Promise<void> => {
    for await (const batch of inBatches(db.users.user.scan(), AT_ONCE)) {
      const usernames = batch.map(({ params }) => params.username)
      const records = await Promise.all(usernames.map(read))
      for (const { fits, found } of searches)
        for (const [i, record] of records.entries()) if (fits(record)) found.set(usernames[i]!, record)
    }
  }

  const search = async (fits: Fits): Promise<OwnersByName> => {
    const mine: Search = { fits, found: new Map() }
    waiting.push(mine)
    next ??= walking.then(() => {
      const searches = waiting
      ;[waiting, next] = [[], undefined]
      const walked = walk(searches)
      walking = walked.catch(() => undefined)
      return walked
    })
    await next
    return mine.found
  }

  const inCatalogue = async (query: (sql: Sql) => Promise<string[]>): Promise<string[]> => {
    try {
      return await source.ask(query)
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error
      return [] // Redis alone knows it too, if not so quickly.
    }
  }

  const find = async (fits: Fits, query: (sql: Sql) => Promise<string[]>): Promise<OwnersByName> => {
    const found = await owning(await inCatalogue(query), fits)
    return found.size === 0 ? search(fits) : found
  }

  return {
    /** The user with this id. The name under which they were found is remembered: nobody else has the id. */
    async ofId(id: number): Promise<OwnerRecord[]> {
      const fits: Fits = (owner) => owner.id === id
      let found = await owning(names.get(id) ?? [], fits)
      if (found.size === 0) found = await find(fits, (sql) => namesOf(sql, id))
      if (names.size >= MOST_KNOWN) names.delete(names.keys().next().value!)
      if (found.size > 0) names.set(id, [...found.keys()])
      return [...found.values()]
    },

    /** The users whose tables are in this database: there may be more of them at any time. */
    async ofDatabase(database: string): Promise<OwnerRecord[]> {
      const found = await find(
        (owner) => owner.database_name === database,
        async (sql) => (await rowsOfDatabase(sql, database)).map(({ username }) => username),
      )
      return [...found.values()]
    },

    /** Whether another user's tables are in this database, whether or not the catalogue knows that user. */
    async isShared(database: string, id: number): Promise<boolean> {
      const others = await search((owner) => owner.database_name === database && owner.id !== id)
      return others.size > 0
    },
  }
}

export type Owners = ReturnType<typeof owners>
