import type { KnownSoftware } from "./known-software.ts"

/** Its keys are numbered. Which number is what belongs to the version, which is in the prefix. */
const queue = (number: number, type: string) => `redis-smq-{version=}:{namespace}:${number}:{queue} ${type}`
const everywhere = (number: number, type: string) => `redis-smq-{version=}:global:${number} ${type}`

const [properties, queues] = [queue(13, "hash"), everywhere(17, "set")]

export const redisSmq: KnownSoftware = {
  name: "RedisSMQ",
  about: "RedisSMQ: messages and their queues",
  keys: [
    "redis-smq-{version=}:global:24:{message} hash",
    "redis-smq-{version=}:global:18:{consumer} set",
    "redis-smq-{version=}:global:19:{consumer} hash",
    queues,
    everywhere(21, "set"),
    everywhere(23, "set"),
    "redis-smq-{version=}:{namespace}:20 set",
    "redis-smq-{version=}:{namespace}:1:{queue} list",
    "redis-smq-{version=}:{namespace}:2:{queue} zset",
    "redis-smq-{version=}:{namespace}:4:{queue}:{consumer} list",
    queue(3, "list"),
    queue(5, "list"),
    queue(6, "zset"),
    queue(7, "list"),
    queue(8, "list"),
    queue(9, "hash"),
    queue(10, "hash"),
    queue(12, "string"),
    properties,
    queue(14, "set"),
    queue(15, "set"),
    queue(16, "set"),
  ],
  signs: [properties, queues],
}
