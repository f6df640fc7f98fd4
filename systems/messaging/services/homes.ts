/* Where a service lives. On a cluster the keys of a service share a hash tag, so that every
 * step works there as it does on one server: a number of tags is shared out among the
 * services, by the checksum of their names. The tag is a mark of two characters, and tokens
 * begin with it: a token says where it is before anybody knows whose it is.
 *
 * Without shards there is one home, keys have the document's names, and tokens no mark. */

import { type ClientOf, isUnavailable, withTag } from "keywright"
import type { Log } from "../../platform/log.ts"
import { UsageError } from "../../platform/usage-error.ts"
import { messagingSchema, type MessagingLimits } from "../schema.ts"
import type { Scope } from "./scope.ts"

export type Db = ClientOf<Schema>

export interface Homes {
  readonly all: readonly Db[]
  of(scope: Scope): Db
  /** What concerns a project as a whole. */
  ofProject(project: string): Db
  /** Where a token is, if it is one of ours. */
  ofToken(token: string): Db | undefined
  /** What tokens of a service begin with. */
  markOf(scope: Scope): string
  /** The parameter that keys of a home have besides those of the document. */
  tagOf(db: Db): { readonly tag?: string }
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
/** Each is a client: making one takes some 40 ms at the start. There are marks for 4,096. */
export const MOST_SHARDS = 64
const markAt = (i: number): string => DIGITS[Math.floor(i / DIGITS.length)]! + DIGITS[i % DIGITS.length]!

interface Sharded extends MessagingLimits {
  readonly shards: number
}

type Schema = ReturnType<typeof messagingSchema>

/** The keys of each home; without shards, there is one. */
export const homeSchemas = (settings: Sharded): ((i: number) => Schema) => {
  const schema = messagingSchema({ ...settings, isTagged: settings.shards > 0 })
  return (i) => (settings.shards === 0 ? schema : withTag(schema, markAt(i)))
}

interface Opening {
  readonly db: Db
  readonly settings: Sharded
  readonly open: (schema: Schema) => Promise<Db>
  readonly log: Log
}

/**
 * Contact lists never expire: data that was made with another number of tags would be found again, outdated, when the
 * number is set back. So the first start notes it, and others are refused.
 */
async function checkCount({ db, settings: { shards }, log }: Opening): Promise<void> {
  if (shards === 0) return
  try {
    const noted = db.shardCount()
    await noted.setIfAbsent(shards)
    const before = await noted.get()
    if (before !== shards)
      throw new UsageError(
        `messaging.shards is ${shards}, and these data were made with ${before}: it cannot be changed`,
      )
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn("redis cannot be reached at the start: messaging.shards is not compared with what it was before")
  }
}

export async function openHomes(opening: Opening): Promise<Homes> {
  const { db, settings, open } = opening
  const { shards } = settings
  await checkCount(opening)
  const all = [db]
  const schemaOf = homeSchemas(settings)
  for (let i = 1; i < shards; i++) all.push(await open(schemaOf(i)))
  const marks = new Map(all.map((home, i) => [home, markAt(i)]))
  const byMark = new Map(all.map((home, i) => [markAt(i), home]))
  const at = (text: string): Db => (shards === 0 ? db : all[checksum(text) % shards]!)
  const of = ({ project, service }: Scope): Db => at(`${project}:${service}`)
  return {
    all,
    of,
    ofProject: at,
    ofToken: (token) => (shards === 0 ? db : byMark.get(token.slice(0, 2))),
    markOf: (scope) => (shards === 0 ? "" : marks.get(of(scope))!),
    tagOf: (home) => (shards === 0 ? {} : { tag: marks.get(home)! }),
  }
}

/** FNV-1a: names are ASCII. */
function checksum(text: string): number {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return sum >>> 0
}
