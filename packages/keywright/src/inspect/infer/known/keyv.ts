import type { KnownSoftware } from "./known-software.ts"

export const keyv: KnownSoftware = {
  name: "Keyv",
  about: "Keyv: a cache",
  keys: ["keyv:{key…} string", "{namespace}::{again}:{key…} string"],
  // Documents that say what they hold, and until when.
  fields: { "keyv:{key…} string": ["value"], "{namespace}::{again}:{key…} string": ["value", "expires"] },
  least: 1,
}
