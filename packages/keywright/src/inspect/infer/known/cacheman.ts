import type { KnownSoftware } from "./known-software.ts"

export const cacheman: KnownSoftware = {
  name: "cacheman",
  about: "cacheman: the name of the cache, and the key",
  keys: ["cacheman:cacheman:{cache}:{key…} string"],
  least: 1,
}
