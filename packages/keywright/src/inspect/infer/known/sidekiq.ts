import type { KnownSoftware } from "./known-software.ts"

export const sidekiq: KnownSoftware = {
  name: "Sidekiq",
  about: "Sidekiq: jobs of Ruby programs",
  keys: [
    "queues set",
    "queue:{queue} list",
    "schedule zset",
    "retry zset",
    "dead zset",
    "processes set",
    "stat:processed string",
    "stat:failed string",
    "stat:processed:{day} string",
    "stat:failed:{day} string",
    "cron_jobs set",
    "cron_job:{job} hash",
    "cron_job:{job}:enqueued zset",
  ],
  least: 2,
  signs: ["stat:processed:{day} string", "queues set", "queue:{queue} list", "retry zset", "stat:processed string"],
}
