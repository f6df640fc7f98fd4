import type { KnownSoftware } from "./known-software.ts"

export const symfony: KnownSoftware = {
  name: "Symfony",
  about: "Symfony: sessions and messages",
  keys: ["sf_s{session!} string", "messages stream", "messages__queue zset"],
  least: 1,
  signs: ["sf_s{session!} string", "messages__queue zset"],
}
