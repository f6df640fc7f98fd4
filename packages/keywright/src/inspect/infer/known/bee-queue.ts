import type { KnownSoftware } from "./known-software.ts"

export const beeQueue: KnownSoftware = {
  name: "Bee-Queue",
  about: "Bee-Queue: jobs",
  keys: [
    "bq:{queue}:id string",
    "bq:{queue}:jobs hash",
    "bq:{queue}:waiting list",
    "bq:{queue}:active list",
    "bq:{queue}:succeeded set",
    "bq:{queue}:failed set",
    "bq:{queue}:stalling set",
    "bq:{queue}:stallBlock string",
    "bq:{queue}:delayed zset",
  ],
}
