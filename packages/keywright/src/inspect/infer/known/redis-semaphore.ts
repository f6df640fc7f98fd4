import type { KnownSoftware } from "./known-software.ts"

const mutex = "mutex:{resource…} string"

export const redisSemaphore: KnownSoftware = {
  name: "redis-semaphore",
  about: "Locks (redis-semaphore): who holds a resource, or has a place in it, until the TTL ends",
  keys: [mutex, "semaphore:{resource…} zset"],
  // Who holds it is known by a UUID.
  looks: { [mutex]: ["uuid"] },
  signs: [mutex],
  least: 1,
}
