/* The toolkit's own keys: everything that Keywright itself may store on a server, as
 * ordinary definitions, so that audit, docs and studio know them like any others.
 * All of them begin with "keywright:"; they expire or empty themselves.
 *
 * A digest represents the key that an entry belongs to, so that no secret segment is
 * repeated. It is not shown either: of a short secret, all digests can be tried.
 * On a cluster an entry must share the slot of that key, and carries its hash tag: those
 * are the patterns with {{tag}}. */

import { bytes } from "./codec/bytes.ts"
import { codec } from "./codec/codec.ts"
import { id } from "./codec/id.ts"
import { float } from "./codec/number.ts"
import { text } from "./codec/text.ts"
import { secret } from "./codec/wrap.ts"
import { LONGEST_FILL, LONGEST_NOTED } from "./duration.ts"
import { list, map, set, stream, string, zset } from "./define.ts"
import { scope } from "./group.ts"
import type { Key } from "./key.ts"
import { keyspace } from "./keyspace.ts"
import { upTo } from "./ttl.ts"

/** An id that the application made, and a digest of what it is for. */
const operation = secret(id("operation", { matching: /[^\s\p{Cc}{}]{1,256}/u, allow: ":*?[]\\" }))
const digest = secret(id("digest", { matching: /[0-9a-f]{40}/, example: "0a4d55a8d778e5022fab701977c5d840bbc486d0" }))
const job = id("job", { matching: /[A-Za-z0-9_.-]{1,64}/ })
const anything = codec({ ...text, allow: ":{}*?[]\\ " })
/** The hash tag of an application's key, which may be the whole key. */
const tag = secret(anything)

const remembered = {
  doc: "The result of an operation, so that repeating it with the same id changes nothing.",
  ttl: upTo(LONGEST_NOTED),
} as const
const filling = {
  doc: "Who is loading a missing value or family; without this key, what was loaded is not stored.",
  ttl: LONGEST_FILL,
} as const
const holding = {
  doc: "Writers that are changing the source, by when they give up: nothing is cached meanwhile.",
  ttl: LONGEST_FILL,
} as const
const importing = {
  doc: "A large value that is being imported; moved to its place when it is complete.",
  ttl: "1h",
} as const
const leasing = { doc: "Which process is running a job, or ran it in this interval.", ttl: LONGEST_NOTED } as const
const token = text

/** Where the schema of a keyspace is recorded; of one without a name, under an underscore. */
export const recordedSchemaKey = (name = "_"): string => `keywright:schema:${name}`

/** Where a copy notes how far it is; of a keyspace without a name, under an underscore. */
export const copyNoteKey = (name = "_"): string => `keywright:copy:${name}`

/**
 * Every key of Keywright's own that may be in a logical database: for tools that must not report them as unknown.
 * @example
 * const own = toolkitKeys().map((key) => key.pattern)
 */
export function toolkitKeys(db = 0): readonly Key[] {
  const own = {
    keywright: scope("keywright:", {
      operation: string("op:{operation}", bytes, remembered),
      operationInCluster: string("op:{{tag}}:{operation}", bytes, remembered),
      fill: string("fill:{digest}", token, filling),
      fillInCluster: string("fill:{{tag}}:{digest}", token, filling),
      hold: zset("hold:{digest}", token, { score: float, ...holding }),
      holdInCluster: zset("hold:{{tag}}:{digest}", token, { score: float, ...holding }),
      lease: string("lease:{job}", token, leasing),
      leaseUnderPrefix: string("lease:{{tag}}:{job}", token, leasing),
      expiry: zset("expiry:{entity}", text, {
        score: float,
        doc: "When the records of an entity expire: their ids, and what is needed to find their entries in sets. For the sweeper.",
        ttl: "never",
      }),
      schema: string("schema:{keyspace}", text, {
        doc: "The schema in its JSON form, as keywright record stored it; diff compares with it.",
        ttl: "never",
      }),
      copy: string("copy:{keyspace}", text, {
        doc: "How far a copy to this server got, so that the same call can continue it.",
        ttl: "30d",
      }),
      import: scope("import:", {
        list: list("list:{{tag}}:{digest}", bytes, importing),
        set: set("set:{{tag}}:{digest}", bytes, importing),
        zset: zset("zset:{{tag}}:{digest}", bytes, { score: float, ...importing }),
        hash: map("hash:{{tag}}:{digest}", text, bytes, importing),
        stream: stream("stream:{{tag}}:{digest}", {}, importing),
      }),
    }),
  }
  const params = { operation, digest, job, tag, entity: anything, keyspace: anything }
  return keyspace(own, { params }).keys.map((key) => ({ ...key, db }))
}
