/* Limiters, locks and caches, and GitLab, which uses all of them. */

import type { KnownSoftware } from "./known-software.ts"

/** What is locked is mostly said by its kind and its id, or by a word alone. */
const lockKeys = ["lock", "locks", "redlock"].flatMap((word) => [
  `${word}:{kind=}:{resource…} string`,
  `${word}:{resource} string`,
])
/** The holder of a lock is identified by a token: hexadecimal digits, a UUID, or random letters. */
const lockTokens = ["hex", "uuid", "token"]

const mutex = "mutex:{resource…} string"

export const locksAndCaches: readonly KnownSoftware[] = [
  {
    name: "Rate limiters",
    about: "Rate limiters (express-rate-limit, rate-limiter-flexible)",
    keys: ["rl:{client…} string", "rlflx:{client…} string"],
    least: 1,
  },
  {
    name: "Redlock",
    about: "Locks (Redlock): who holds a resource, until the TTL ends",
    keys: lockKeys,
    looks: Object.fromEntries(lockKeys.map((key) => [key, lockTokens])),
    least: 1,
  },
  {
    name: "redis-semaphore",
    about: "Locks (redis-semaphore): who holds a resource, or has a place in it, until the TTL ends",
    keys: [mutex, "semaphore:{resource…} zset"],
    // A UUID identifies the holder.
    looks: { [mutex]: ["uuid"] },
    signs: [mutex],
    least: 1,
  },
  {
    name: "Bottleneck",
    about: "Bottleneck: limiters that several processes share",
    keys: [
      "b_{limiter…}_settings hash",
      "b_{limiter…}_job_weights hash",
      "b_{limiter…}_job_expirations zset",
      "b_{limiter…}_job_clients hash",
      "b_{limiter…}_client_running zset",
      "b_{limiter…}_client_num_queued hash",
      "b_{limiter…}_client_last_registered zset",
      "b_{limiter…}_client_last_seen zset",
    ],
  },
  {
    name: "Keyv",
    about: "Keyv: a cache",
    keys: ["keyv:{key…} string", "{namespace}::{again}:{key…} string"],
    // Documents that say what they hold, and until when.
    fields: { "keyv:{key…} string": ["value"], "{namespace}::{again}:{key…} string": ["value", "expires"] },
    least: 1,
  },
  {
    name: "cacheman",
    about: "cacheman: the name of the cache, and the key",
    keys: ["cacheman:cacheman:{cache}:{key…} string"],
    least: 1,
  },
  {
    name: "GitLab",
    about: "GitLab: sessions, caches and queues",
    keys: [
      "session:gitlab:{session!} string",
      "session:gitlab:2::{session!} string",
      "session:user:gitlab:{user…} string",
      "session:lookup:user:gitlab:{user…} set",
      "cache:gitlab:{key…} string",
      "resque:gitlab:queue:{queue…} list",
      "resque:gitlab:queues set",
    ],
    least: 1,
    signs: ["session:gitlab:{session!} string", "session:gitlab:2::{session!} string", "cache:gitlab:{key…} string"],
  },
]
