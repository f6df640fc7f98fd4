import type { KnownSoftware } from "./known-software.ts"

export const webSessions: KnownSoftware = {
  name: "Web sessions",
  about: "Web sessions (connect-redis, Rack, Flask-Session)",
  keys: ["sess:{session!} string", "rack:session:{session!} string"],
  least: 1,
}
