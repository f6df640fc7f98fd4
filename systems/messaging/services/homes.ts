/* Where users, channels and services live. With shards, everything of one user is in one
 * slot of a cluster, and so is everything of one channel; the checksum of their names says
 * where (`home`). Tokens begin with the checksum of their user: a token says where it is
 * before its user is known. Tokens have this form without shards too, so that people stay
 * logged in when a server is copied to a cluster.
 *
 * Without shards there is one home, and keys have the document's names. */

import { checksum, type ClientOf } from "keywright"
import type { Log } from "../../platform/log.ts"
import { checkShardCount } from "../../platform/shard-count.ts"
import { messagingSchema, type MessagingLimits } from "../schema.ts"
import { at, type Scope } from "./scope.ts"

type Schema = ReturnType<typeof messagingSchema>
export type Db = ClientOf<Schema>

/** Sweepers ask every shard. */
export const MOST_SHARDS = 4096
/** Shards that are asked at the same time. */
const AT_ONCE = 32

export const homeOfUser = ({ project, service }: Scope, user: string): string => checksum(project, service, user)

/** What a token begins with. */
export const homeOfToken = (token: string): string => token.slice(0, 4)
const isHome = (text: string): boolean => /^[0-9a-f]{4}$/.test(text)

/** A channel, through the client or through one that collects calls. */
export const channelIn = (db: Pick<Db, "channels">, { project, service }: Scope, channel: string) =>
  db.channels({ home: checksum(project, service, channel) }).channel({ project, service, channel })

export type Homes = ReturnType<typeof homesOf>

export function homesOf(db: Db, shards: number) {
  const count = Math.max(1, shards)
  const shardOf = (home: string): number => (shards === 0 ? 0 : Number.parseInt(home, 16) % shards)
  /** One of the checksums of each shard. */
  const all = Array.from({ length: count }, (_, i) => i.toString(16).padStart(4, "0"))
  // Bound once for each shard: binding takes longer than building a key, and a request may concern dozens of users.
  const [people, channels]: [ReturnType<Db["people"]>[], ReturnType<Db["channels"]>[]] = [[], []]
  const peopleIn = (shard: number) => (people[shard] ??= db.people({ home: all[shard]! }))
  const channelsIn = (shard: number) => (channels[shard] ??= db.channels({ home: all[shard]! }))
  return {
    isSharded: shards > 0,
    all,
    shardOf,

    /** Everything in the shard of a home. */
    people: (home: string) => peopleIn(shardOf(home)),
    /** Everything of a user, and what their shard has once. */
    person: (scope: Scope, user: string) => peopleIn(shards === 0 ? 0 : shardOf(homeOfUser(scope, user))),
    channel: (scope: Scope, channel: string) =>
      channelsIn(shards === 0 ? 0 : shardOf(checksum(scope.project, scope.service, channel))).channel({
        channel,
        ...at(scope),
      }),
    homeOfService: ({ project, service }: Scope): string => checksum(project, service),
    /** The key of its events, and the channel where they are announced. */
    eventsKey: (scope: Scope): string =>
      db.services({ home: checksum(scope.project, scope.service) }).events(at(scope)).key,

    /** Where a token is, if it is one of ours. */
    ofToken(token: string): string | undefined {
      if (shards === 0) return all[0]!
      return isHome(homeOfToken(token)) ? homeOfToken(token) : undefined
    },

    /** The places of those that are in one shard, each time with one of its checksums. */
    byShard(homes: readonly string[]): { readonly home: string; readonly places: number[] }[] {
      const found = new Map<number, { readonly home: string; readonly places: number[] }>()
      for (const [place, home] of homes.entries()) {
        const shard = shardOf(home)
        const known = found.get(shard) ?? { home, places: [] }
        found.set(shard, known)
        known.places.push(place)
      }
      return [...found.values()]
    },

    /** Does the same in every shard, some at a time: what each returned. */
    async inEach<T>(work: (home: string) => Promise<T>): Promise<T[]> {
      const results: T[] = []
      for (let from = 0; from < count; from += AT_ONCE)
        results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))))
      return results
    },
  }
}

interface Opening {
  readonly db: Db
  readonly settings: MessagingLimits & { readonly shards: number }
  readonly open: (schema: Schema) => Promise<Db>
  readonly log: Log
}

/** Whether somebody has used it without shards: then there is the map of tokens under its plain name. */
async function isMadeWithout({ db, settings, open }: Opening): Promise<boolean> {
  // A cluster cannot have data without shards.
  if (db.$driver().cluster) return false
  const plain = await open(messagingSchema({ ...settings, shards: 0 }))
  return plain.people({ home: "0000" }).tokenKeys().exists()
}

export async function openHomes(opening: Opening): Promise<Homes> {
  await checkShardCount("messaging", opening, {
    noted: opening.db.shardCount,
    isMadeWithout: () => isMadeWithout(opening),
  })
  return homesOf(opening.db, opening.settings.shards)
}
