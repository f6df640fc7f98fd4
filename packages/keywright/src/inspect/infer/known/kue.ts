import type { KnownSoftware } from "./known-software.ts"

export const kue: KnownSoftware = {
  name: "Kue",
  about: "Kue: jobs",
  keys: [
    "*:job:{job} hash",
    "*:job:{job}:log list",
    "*:job:types set",
    "*:jobs zset",
    "*:jobs:{state} zset",
    "*:jobs:{kind}:{state} zset",
    "*:{kind}:jobs list",
    "*:ids string",
    "*:stats:work-time string",
    "*:unique:jobs hash",
  ],
  least: 3,
  signs: ["*:job:types set", "*:jobs zset", "*:ids string", "*:stats:work-time string"],
}
