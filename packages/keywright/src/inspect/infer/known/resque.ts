import type { KnownSoftware } from "./known-software.ts"

export const resque: KnownSoftware = {
  name: "Resque",
  about: "Resque: jobs of Ruby and Node programs",
  keys: [
    "*queues set",
    "*queue:{queue} list",
    "*workers set",
    "*worker:{worker…} string",
    "*stat:processed string",
    "*stat:failed string",
    "*stat:processed:{worker…} string",
    "*stat:failed:{worker…} string",
    "*failed list",
    "*delayed_queue_schedule zset",
    "*delayed:{at} list",
    "*timestamps:{job…} set",
    "*resque_scheduler_master_lock string",
    "*connection_test_key string",
  ],
  least: 2,
  signs: ["*queues set", "*delayed_queue_schedule zset", "*stat:processed string"],
}
