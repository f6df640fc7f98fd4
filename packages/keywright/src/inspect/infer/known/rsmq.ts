import type { KnownSoftware } from "./known-software.ts"

export const rsmq: KnownSoftware = {
  name: "RSMQ",
  about: "RSMQ: a message queue",
  keys: ["*:QUEUES set", "*:{queue}:Q hash", "*:{queue} zset"],
  least: 2,
  signs: ["*:QUEUES set", "*:{queue}:Q hash"],
}
