import type { KnownSoftware } from "./known-software.ts"

export const flask: KnownSoftware = {
  name: "Flask",
  about: "Flask-Caching: cached pages and results",
  keys: ["flask_cache_view/{path…} string", "flask_cache_{key…} string"],
  least: 1,
}
