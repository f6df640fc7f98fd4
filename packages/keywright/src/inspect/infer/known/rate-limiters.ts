import type { KnownSoftware } from "./known-software.ts"

export const rateLimiters: KnownSoftware = {
  name: "Rate limiters",
  about: "Rate limiters (express-rate-limit, rate-limiter-flexible)",
  keys: ["rl:{client…} string", "rlflx:{client…} string"],
  least: 1,
}
