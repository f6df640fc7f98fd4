/* Bull and its successor have the same prefix: BullMQ has streams of events and its settings in a hash. */

import type { KnownSoftware } from "./known-software.ts"

const shared = [
  "*:{queue}:{job} hash",
  "*:{queue}:{job}:logs list",
  "*:{queue}:{job}:lock string",
  "*:{queue}:id string",
  "*:{queue}:wait list",
  "*:{queue}:active list",
  "*:{queue}:paused list",
  "*:{queue}:delayed zset",
  "*:{queue}:completed zset",
  "*:{queue}:failed zset",
  "*:{queue}:repeat zset",
  "*:{queue}:stalled set",
  "*:{queue}:stalled-check string",
  "*:{queue}:limiter string",
]

export const bullmq: KnownSoftware = {
  name: "BullMQ",
  about: "BullMQ: jobs",
  keys: [
    ...shared,
    "*:{queue}:meta hash",
    "*:{queue}:events stream",
    "*:{queue}:marker zset",
    "*:{queue}:prioritized zset",
    "*:{queue}:pc string",
    "*:{queue}:waiting-children zset",
    "*:{queue}:{job}:dependencies set",
    "*:{queue}:{job}:processed hash",
  ],
  signs: ["*:{queue}:meta hash", "*:{queue}:events stream", "*:{queue}:marker zset"],
  least: 2,
}

export const bull: KnownSoftware = {
  name: "Bull",
  about: "Bull: jobs",
  keys: [...shared, "*:{queue}:priority zset", "*:{queue}:meta-paused string"],
  signs: ["*:{queue}:stalled-check string", "*:{queue}:id string", "*:{queue}:completed zset"],
  least: 2,
}
