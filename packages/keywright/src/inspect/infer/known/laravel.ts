import type { KnownSoftware } from "./known-software.ts"

export const laravel: KnownSoftware = {
  name: "Laravel",
  about: "Laravel: queues",
  keys: [
    "*queues:{queue} list",
    "*queues:{queue}:notify list",
    "*queues:{queue}:reserved zset",
    "*queues:{queue}:delayed zset",
  ],
  least: 2,
  signs: ["*queues:{queue}:notify list", "*queues:{queue}:reserved zset", "*queues:{queue}:delayed zset"],
}
