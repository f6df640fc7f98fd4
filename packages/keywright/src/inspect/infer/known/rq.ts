import type { KnownSoftware } from "./known-software.ts"

export const rq: KnownSoftware = {
  name: "RQ",
  about: "RQ: jobs of Python programs",
  keys: [
    "rq:job:{job} hash",
    "rq:job:{job}:dependents set",
    "rq:job:{job}:dependencies set",
    "rq:results:{job} stream",
    "rq:queue:{queue} list",
    "rq:queues set",
    "rq:workers set",
    "rq:workers:{queue} set",
    "rq:worker:{worker} hash",
    "rq:failed:{queue} zset",
    "rq:finished:{queue} zset",
    "rq:wip:{queue} zset",
    "rq:scheduled:{queue} zset",
    "rq:deferred:{queue} zset",
    "rq:canceled:{queue} zset",
    "rq:clean_registries:{queue} string",
    "rq:scheduler-lock:{queue} string",
  ],
}
