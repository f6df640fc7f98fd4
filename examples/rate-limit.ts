/* Rate limits: a fixed window costs one command; a sliding one never lets more than `most` through in any window.
 * Both count in one step, so that two processes cannot both take the last place. */

import { connect, counter, fixed, float, int, keyspace, step, text, zset } from "keywright"

export const api = keyspace(
  {
    window: counter("limit:{who}", { ttl: fixed("1m"), doc: "Calls in this minute; it begins with the first one." }),
    calls: zset("calls:{who}", text, { score: float, ttl: "1m", doc: "The calls of the last minute, by time." }),
  },
  {
    name: "api",
    steps: {
      take: step({
        script: `-- KEYS[1] the calls; ARGV now (ms), window (ms), most, and a name for this call
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", ARGV[1] - ARGV[2])
local used = redis.call("ZCARD", KEYS[1])
if used >= tonumber(ARGV[3]) then return -1 end
redis.call("ZADD", KEYS[1], ARGV[1], ARGV[4])
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return tonumber(ARGV[3]) - used - 1`,
        keys: ["calls"],
        args: { now: int, windowMs: int, most: int, call: text },
        returns: int,
      }),
    },
  },
)

const db = await connect(api)
let calls = 0

/** At most `most` a minute, counted from the first call. */
export const fixedWindow = async (who: string, most: number) => (await db.window({ who }).increment()) <= most

/** At most `most` in any minute: how many are left, or -1. */
export const slidingWindow = (who: string, most: number, now = Date.now()) =>
  db.$steps.take({ who, now, windowMs: 60_000, most, call: `${process.pid}-${++calls}` })

const answers = await Promise.all(Array.from({ length: 5 }, () => fixedWindow("ann", 3)))
console.log(answers) // → [ true, true, true, false, false ]

console.log(await slidingWindow("bob", 2, 1_000_000), await slidingWindow("bob", 2, 1_030_000)) // → 1 0
console.log(await slidingWindow("bob", 2, 1_050_000)) // → -1
console.log(await slidingWindow("bob", 2, 1_061_000)) // → 0
await db.$close()
