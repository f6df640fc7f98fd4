import type { KnownSoftware } from "./known-software.ts"

const key = "{cache=}::{key…} string"

export const springCache: KnownSoftware = {
  name: "Spring cache",
  about: "Spring cache: the name of the cache, and the key",
  keys: [key],
  // As JdkSerializationRedisSerializer or GenericJackson2JsonRedisSerializer writes them.
  looks: { [key]: ["string:java"] },
  fields: { [key]: ["@class"] },
  least: 1,
}
