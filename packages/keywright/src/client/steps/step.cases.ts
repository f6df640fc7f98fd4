/* A small shop with steps of every shape, for tests. */

import {
  arrayOf,
  bytes,
  database,
  float,
  id,
  int,
  keyspace,
  map,
  maybe,
  pairsOf,
  scope,
  set,
  step,
  string,
  text,
  tupleOf,
  zset,
} from "keywright"

const token = id("token")
const row = id("row")

const head = "-- KEYS  as declared\n-- ARGV  as declared\n"

export const shop = keyspace(
  {
    login: map("login:", token, text),
    recent: zset("recent:", token),
    viewed: zset("viewed:{token}", text),
    cart: map("cart:{token}", text, int),
    delay: zset("delay:", row),
    row: string("inv:{row}", text),
    service: scope("P:{project}:", { online: set("OnSub", text), status: string("St:{user}", text) }),
    hits: string("hits", int),
  },
  {
    params: { token, row },
    steps: {
      /** Removes the sessions that are still among the oldest. */
      clean: step({
        script: `-- KEYS[1] login  KEYS[2] recent  then n × viewed, n × cart
-- ARGV[1] n  ARGV[2] n  ARGV[3] the size to leave  ARGV[4] n, then the tokens
-- result  the tokens that were removed
local n = tonumber(ARGV[1])
local removed = {}
for i = 1, n do
  local token = ARGV[4 + i]
  local excess = redis.call("ZCARD", KEYS[2]) - tonumber(ARGV[3])
  local rank = redis.call("ZRANK", KEYS[2], token)
  if rank and rank < excess then
    redis.call("UNLINK", KEYS[2 + i], KEYS[2 + n + i])
    redis.call("HDEL", KEYS[1], token)
    redis.call("ZREM", KEYS[2], token)
    removed[#removed + 1] = token
  end
end
return removed`,
        keys: ["login", "recent", "viewed[]", "cart[]"],
        args: { limit: int, tokens: arrayOf(token) },
        returns: arrayOf(token),
      }),
      online: step({
        script: `${head}local gone = {} for i = 2, #KEYS do if redis.call("EXISTS", KEYS[i]) == 0 then gone[#gone + 1] = i - 1 end end return gone`,
        keys: ["service.online", "service.status[]"],
        returns: arrayOf(int),
      }),
      hit: step({
        script: `${head}return redis.call("INCRBY", KEYS[1], ARGV[1])`,
        keys: ["hits"],
        args: { by: int },
        returns: int,
        once: true,
      }),
      setRow: step({
        script: new URL("./step-set-row.cases.lua", import.meta.url),
        keys: ["delay", "row"],
        args: { value: text },
        once: true,
      }),
      getRow: step({ script: `${head}return redis.call("GET", KEYS[1])`, keys: ["row"], returns: maybe(text) }),
      shapes: step({
        script: `${head}return { 1, "two", { "a", "1.5", "b", "-2" }, "\\255\\0" }`,
        keys: [],
        returns: tupleOf(int, text, pairsOf(text, float), bytes, maybe(text)),
      }),
      wrong: step({ script: `${head}return "no number"`, keys: [], returns: int }),
      refuse: step({
        script: `${head}if ARGV[1] == "code" then return redis.error_reply("STOCK.SOLD_OUT only 2 left") end return redis.call("LPUSH", KEYS[1], "x")`,
        keys: ["delay"],
        args: { how: text },
      }),
    },
  },
)

export const twoDatabases = (keys: readonly ("a.x" | "b.y")[]) =>
  keyspace(
    { a: database(0, "a", { x: string("x", text) }), b: database(1, "b", { y: string("y", text) }) },
    { steps: { both: step({ script: head, keys }) } },
  )
