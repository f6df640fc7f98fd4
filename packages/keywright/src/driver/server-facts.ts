/* What INFO says about the server. */

import type { ServerFacts } from "./driver.ts"

export function factsFromInfo(info: string): ServerFacts {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1]
  const valkey = field("valkey_version")
  const mode = field("redis_mode") ?? field("server_mode")
  return {
    flavour: valkey !== undefined || field("server_name") === "valkey" ? "valkey" : "redis",
    version: valkey ?? field("redis_version") ?? "0.0.0",
    mode: mode === "cluster" || mode === "sentinel" ? mode : "standalone",
    role: field("role") === "slave" ? "replica" : "primary",
  }
}
