import type { KnownSoftware } from "./known-software.ts"

export const gitlab: KnownSoftware = {
  name: "GitLab",
  about: "GitLab: sessions, caches and queues",
  keys: [
    "session:gitlab:{session!} string",
    "session:gitlab:2::{session!} string",
    "session:user:gitlab:{user…} string",
    "session:lookup:user:gitlab:{user…} set",
    "cache:gitlab:{key…} string",
    "resque:gitlab:queue:{queue…} list",
    "resque:gitlab:queues set",
  ],
  least: 1,
  signs: ["session:gitlab:{session!} string", "session:gitlab:2::{session!} string", "cache:gitlab:{key…} string"],
}
