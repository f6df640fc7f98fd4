import type { KnownSoftware } from "./known-software.ts"

export const bottleneck: KnownSoftware = {
  name: "Bottleneck",
  about: "Bottleneck: limiters that several processes share",
  keys: [
    "b_{limiter…}_settings hash",
    "b_{limiter…}_job_weights hash",
    "b_{limiter…}_job_expirations zset",
    "b_{limiter…}_job_clients hash",
    "b_{limiter…}_client_running zset",
    "b_{limiter…}_client_num_queued hash",
    "b_{limiter…}_client_last_registered zset",
    "b_{limiter…}_client_last_seen zset",
  ],
}
