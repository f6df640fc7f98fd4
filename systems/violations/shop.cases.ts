/* What the shop's document forbids. */

import { rows, texts, type Violations } from "./violation.cases.ts"

export const shop: Violations = async (ask) => {
  const [a, b, c, d, e, f, g] = texts(await ask("HKEYS", "login:")) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const gone = "00000000-0000-4000-8000-000000000000"
  const many = Array.from({ length: 30 }, (_, i) => [String(1_700_000_000 + i), `seen${i}`]).flat()
  return rows([
    [
      "a quantity that the customer would like to purchase",
      `HSET cart:${a} zero 0`,
      "VALUE.UNDECODABLE cart:…",
      "broken",
    ],
    ["a quantity is not negative", `HSET cart:${b} fewer -3`, "VALUE.UNDECODABLE cart:…", "broken"],
    ["popularity: -23.0, -1.0", "ZADD viewed: 5 unpopular", "VALUE.UNDECODABLE viewed:", "broken"],
    ["a cart is a session's", `HSET cart:${gone} item1 1`, "REFERS.ORPHAN cart:…", "orphans"],
    ["views are a session's", `ZADD viewed:${gone} 1700000000 item1`, "REFERS.ORPHAN viewed:…", "orphans"],
    [
      "login: has the user of every token that was seen",
      `ZADD recent: 1700000000 ${gone}-1`,
      "SAME.EXTRA recent:",
      "always",
    ],
    ["recent: has the timestamp of every token", `HSET login: ${gone}-2 user1`, "SAME.MISSING recent:", "never"],
    ["a timestamp when the token was last seen", `ZADD recent: -5 ${c}`, "VALUE.UNDECODABLE recent:", "never"],
    ["a timestamp when the item was seen", `ZADD viewed:${a} inf never`, "VALUE.UNDECODABLE viewed:…", "broken"],
    [
      "which items a session saw: the newest",
      `ZADD viewed:${b} ${many.join(" ")}`,
      "VALUE.TOO_MANY viewed:…",
      "always",
    ],
    [
      "a row in JSON format",
      ["ZADD delay: 10 905", "ZADD schedule: 1700000000 905", "SET inv:905 qty=1"],
      "VALUE.UNDECODABLE inv:905",
      "broken",
    ],
    ["a cached row has a delay", `SET inv:906 {"qty":1}`, "REFERS.ORPHAN inv:906", "orphans"],
    ["a row with a delay is scheduled", "ZADD delay: 10 907", "SAME.MISSING schedule:", "never"],
    ["a scheduled row has a delay", "ZADD schedule: 1700000000 908", "SAME.EXTRA schedule:", "always"],
    [
      "a timestamp when the row is copied next",
      ["ZADD delay: 10 909", "ZADD schedule: -1 909"],
      "VALUE.UNDECODABLE schedule:",
      "never",
    ],
    [
      "a row is a string",
      ["ZADD delay: 10 910", "ZADD schedule: 1700000000 910", "HSET inv:910 qty 1"],
      "KEY.TYPE inv:910",
      "broken",
    ],
    ["a page is cached for a while", "SET cache:abc <html>", "TTL.MISSING cache:abc", "always"],
    ["keys have no space in them", "ZADD 'viewed: abc' 1 item1", "KEY.UNKNOWN viewed: abc", "unknown"],
    ["a quantity is whole", `HSET cart:${d} half 2.5`, "VALUE.UNDECODABLE cart:…", "broken"],
    ["a cart is a hash", [`DEL cart:${e}`, `SET cart:${e} {}`], "KEY.TYPE cart:…", "broken"],
    ["pairs of token and user", `HSET login: ${f} ''`, "VALUE.UNDECODABLE login:", "broken"],
    ["a timestamp in seconds", `ZADD recent: 1700000000000 ${g}`, "VALUE.UNDECODABLE recent:", "never"],
    [
      "the next copy in seconds",
      ["ZADD delay: 10 911", "ZADD schedule: 1700000000000 911"],
      "VALUE.UNDECODABLE schedule:",
      "never",
    ],
    [
      "how many seconds to wait",
      ["ZADD delay: inf 912", "ZADD schedule: 1700000000 912"],
      "VALUE.UNDECODABLE delay:",
      "never",
    ],
    [
      "seconds to wait are not negative for long",
      ["ZADD delay: -5 913", "ZADD schedule: 1700000000 913"],
      "COMPARE.BROKEN delay:",
      "broken",
    ],
    [
      "one row, not several",
      ["ZADD delay: 10 914", "ZADD schedule: 1700000000 914", "SET inv:914 [1,2]"],
      "VALUE.UNDECODABLE inv:914",
      "broken",
    ],
    ["a row has an id", "SET inv:915:old {}", "KEY.UNKNOWN inv:915:old", "unknown"],
    ["a page is a string", "HSET cache:abd html x", "KEY.TYPE cache:abd", "broken"],
    ["a page is cached for five minutes", "SET cache:abe x EX 5000", "TTL.TOO_LONG cache:abe", "always"],
    ["items are ids", `ZADD viewed:${d} 1700000000 'item 1'`, "VALUE.UNDECODABLE viewed:…", "broken"],
    ["popularity has no end", "PEXPIRE viewed: 100000", "TTL.UNEXPECTED viewed:", "always"],
  ])
}
