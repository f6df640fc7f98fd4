/* What the five documents forbid, sentence by sentence, as raw commands into data that the
 * systems made themselves, with what audit says of each and how repair sets it right. */

type Reply = unknown

/** By itself; only with the option to delete such things; or by people, who know what was meant. */
type Repair = "always" | "broken" | "orphans" | "unknown" | "fields" | "conflicts" | "never"

export interface Violation {
  /** The sentence of the document that it breaks, in our words. */
  readonly says: string
  readonly commands: readonly (readonly string[])[]
  /** The logical database, where a system has several. */
  readonly db?: number
  /** Code and key, as findings have them. */
  readonly finds: readonly string[]
  readonly repair: Repair
}

/** What is planted depends on what is stored: tokens and ids are made by chance. */
type Violations = (ask: (...command: string[]) => Promise<Reply>) => Promise<readonly Violation[]>

const one = (
  says: string,
  command: readonly string[] | readonly (readonly string[])[],
  finds: string | readonly string[],
  repair: Repair,
  db?: number,
): Violation => ({
  says,
  commands: (typeof command[0] === "string" ? [command] : command) as readonly (readonly string[])[],
  finds: typeof finds === "string" ? [finds] : finds,
  repair,
  ...(db !== undefined && { db }),
})

const texts = (reply: Reply): string[] => reply as string[]

const shop: Violations = async (ask) => {
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
  return [
    one(
      "a quantity that the customer would like to purchase",
      ["HSET", `cart:${a}`, "zero", "0"],
      "VALUE.UNDECODABLE cart:…",
      "broken",
    ),
    one("a quantity is not negative", ["HSET", `cart:${b}`, "fewer", "-3"], "VALUE.UNDECODABLE cart:…", "broken"),
    one("popularity: -23.0, -1.0", ["ZADD", "viewed:", "5", "unpopular"], "VALUE.UNDECODABLE viewed:", "broken"),
    one("a cart is a session's", ["HSET", `cart:${gone}`, "item1", "1"], "REFERS.ORPHAN cart:…", "orphans"),
    one(
      "views are a session's",
      ["ZADD", `viewed:${gone}`, "1700000000", "item1"],
      "REFERS.ORPHAN viewed:…",
      "orphans",
    ),
    one(
      "login: has the user of every token that was seen",
      ["ZADD", "recent:", "1700000000", `${gone}-1`],
      "SAME.EXTRA recent:",
      "always",
    ),
    one(
      "recent: has the timestamp of every token",
      ["HSET", "login:", `${gone}-2`, "user1"],
      "SAME.MISSING recent:",
      "never",
    ),
    one("a timestamp when the token was last seen", ["ZADD", "recent:", "-5", c], "VALUE.UNDECODABLE recent:", "never"),
    one(
      "a timestamp when the item was seen",
      ["ZADD", `viewed:${a}`, "inf", "never"],
      "VALUE.UNDECODABLE viewed:…",
      "broken",
    ),
    one("which items a session saw: the newest", ["ZADD", `viewed:${b}`, ...many], "VALUE.TOO_MANY viewed:…", "always"),
    one(
      "a row in JSON format",
      [
        ["ZADD", "delay:", "10", "905"],
        ["ZADD", "schedule:", "1700000000", "905"],
        ["SET", "inv:905", "qty=1"],
      ],
      "VALUE.UNDECODABLE inv:905",
      "broken",
    ),
    one("a cached row has a delay", ["SET", "inv:906", '{"qty":1}'], "REFERS.ORPHAN inv:906", "orphans"),
    one("a row with a delay is scheduled", ["ZADD", "delay:", "10", "907"], "SAME.MISSING schedule:", "never"),
    one("a scheduled row has a delay", ["ZADD", "schedule:", "1700000000", "908"], "SAME.EXTRA schedule:", "always"),
    one(
      "a timestamp when the row is copied next",
      [
        ["ZADD", "delay:", "10", "909"],
        ["ZADD", "schedule:", "-1", "909"],
      ],
      "VALUE.UNDECODABLE schedule:",
      "never",
    ),
    one(
      "a row is a string",
      [
        ["ZADD", "delay:", "10", "910"],
        ["ZADD", "schedule:", "1700000000", "910"],
        ["HSET", "inv:910", "qty", "1"],
      ],
      "KEY.TYPE inv:910",
      "broken",
    ),
    one("a page is cached for a while", ["SET", "cache:abc", "<html>"], "TTL.MISSING cache:abc", "always"),
    one("keys have no space in them", ["ZADD", "viewed: abc", "1", "item1"], "KEY.UNKNOWN viewed: abc", "unknown"),
    one("a quantity is whole", ["HSET", `cart:${d}`, "half", "2.5"], "VALUE.UNDECODABLE cart:…", "broken"),
    one(
      "a cart is a hash",
      [
        ["DEL", `cart:${e}`],
        ["SET", `cart:${e}`, "{}"],
      ],
      "KEY.TYPE cart:…",
      "broken",
    ),
    one("pairs of token and user", ["HSET", "login:", f, ""], "VALUE.UNDECODABLE login:", "broken"),
    one("a timestamp in seconds", ["ZADD", "recent:", "1700000000000", g], "VALUE.UNDECODABLE recent:", "never"),
    one(
      "the next copy in seconds",
      [
        ["ZADD", "delay:", "10", "911"],
        ["ZADD", "schedule:", "1700000000000", "911"],
      ],
      "VALUE.UNDECODABLE schedule:",
      "never",
    ),
    one(
      "how many seconds to wait",
      [
        ["ZADD", "delay:", "inf", "912"],
        ["ZADD", "schedule:", "1700000000", "912"],
      ],
      "VALUE.UNDECODABLE delay:",
      "never",
    ),
    one(
      "seconds to wait are not negative for long",
      [
        ["ZADD", "delay:", "-5", "913"],
        ["ZADD", "schedule:", "1700000000", "913"],
      ],
      "COMPARE.BROKEN delay:",
      "broken",
    ),
    one(
      "one row, not several",
      [
        ["ZADD", "delay:", "10", "914"],
        ["ZADD", "schedule:", "1700000000", "914"],
        ["SET", "inv:914", "[1,2]"],
      ],
      "VALUE.UNDECODABLE inv:914",
      "broken",
    ),
    one("a row has an id", ["SET", "inv:915:old", "{}"], "KEY.UNKNOWN inv:915:old", "unknown"),
    one("a page is a string", ["HSET", "cache:abd", "html", "x"], "KEY.TYPE cache:abd", "broken"),
    one(
      "a page is cached for five minutes",
      ["SET", "cache:abe", "x", "EX", "5000"],
      "TTL.TOO_LONG cache:abe",
      "always",
    ),
    one("items are ids", ["ZADD", `viewed:${d}`, "1700000000", "item 1"], "VALUE.UNDECODABLE viewed:…", "broken"),
    one("popularity has no end", ["PEXPIRE", "viewed:", "100000"], "TTL.UNEXPECTED viewed:", "always"),
  ]
}

const recommender: Violations = async (ask) => {
  const [post, challenge] = texts(await ask("HRANDFIELD", "post_clg_pair", "1", "WITHVALUES")) as [string, string]
  const [pooled] = texts(await ask("ZRANGE", "recent_posts_for_category1", "0", "0")) as [string]
  const [ongoing] = texts(await ask("HKEYS", "on_clg_info")) as [string]
  const category = Number(String(await ask("HGET", "on_clg_info", ongoing)).split(",")[0])
  const stray = `recent_posts_for_category${category === 3 ? 5 : 4}`
  return [
    one(
      "day_index is between 0 and max_post_age - 1",
      ["HSET", "rs_param", "day_index", "99"],
      "COMPARE.BROKEN rs_param",
      "never",
    ),
    one(
      "5 integers, none negative",
      ["HSET", "user_contribution", "9001", "-1,2"],
      "VALUE.UNDECODABLE user_contribution",
      "broken",
    ),
    one(
      "exactly 5 integers",
      ["HSET", "user_contribution", "9002", "1,2,3,4,5,6,7,8"],
      "COMPARE.BROKEN user_contribution",
      "broken",
    ),
    one(
      "no fewer than 5 integers",
      ["HSET", "user_contribution", "9003", "1,2"],
      "COMPARE.BROKEN user_contribution",
      "broken",
    ),
    one(
      "integers",
      ["HSET", "user_contribution", "9004", "1,2,x,0,0"],
      "VALUE.UNDECODABLE user_contribution",
      "broken",
    ),
    one(
      "a key for each category from 1 to 5",
      ["ZADD", "recent_posts_for_category9", "0", post],
      ["COMPARE.BROKEN recent_posts_for_category9", "POOL.CATEGORY recent_posts_for_category9"],
      "broken",
    ),
    one(
      "keys are numbered from 1",
      ["ZADD", "recent_posts_for_category0", "0", post],
      ["COMPARE.BROKEN recent_posts_for_category0", "POOL.CATEGORY recent_posts_for_category0"],
      "broken",
    ),
    one(
      "the score is a day_index",
      ["ZADD", "recent_posts_for_category1", "88", pooled],
      "COMPARE.BROKEN recent_posts_for_category1",
      "broken",
    ),
    one(
      "a day_index is not negative",
      ["ZADD", "recent_posts_for_category2", "-1", post],
      "VALUE.UNDECODABLE recent_posts_for_category2",
      "broken",
    ),
    one(
      "a recent post has a challenge",
      ["ZADD", "recent_posts_for_category3", "0", "905555"],
      "REFERS.DANGLING recent_posts_for_category3",
      "always",
    ),
    one(
      "a category among the distinct ones",
      ["HSET", "on_clg_info", "900042", "42,1,21,2024-01-22"],
      "COMPARE.BROKEN on_clg_info",
      "broken",
    ),
    one(
      "category, is_public, duration and finished_date",
      ["HSET", "on_clg_info", "900043", "1,1,21"],
      "VALUE.UNDECODABLE on_clg_info",
      "broken",
    ),
    one(
      "a duration in days",
      ["HSET", "on_clg_info", "900044", "1,1,0,2024-01-22"],
      "VALUE.UNDECODABLE on_clg_info",
      "broken",
    ),
    one("a finished date", ["HSET", "on_clg_info", "900045", "1,1,21,soon"], "VALUE.UNDECODABLE on_clg_info", "broken"),
    one(
      "the challenge of a post is an id",
      ["HSET", "post_clg_pair", "905556", "abc"],
      "VALUE.UNDECODABLE post_clg_pair",
      "broken",
    ),
    one("liked posts are ids", ["SADD", "9005_liked_posts", "abc"], "VALUE.UNDECODABLE 9005_liked_posts", "broken"),
    one("liked posts are a set", ["ZADD", "9006_liked_posts", "1", post], "KEY.TYPE 9006_liked_posts", "broken"),
    one(
      "how often a user reacted",
      [
        ["SADD", "9007_liked_posts", post],
        ["ZADD", "9007_clgs_preference", "-4", ongoing],
      ],
      "VALUE.UNDECODABLE 9007_clgs_preference",
      "broken",
    ),
    one(
      "a preference is a challenge's",
      [
        ["SADD", "9008_liked_posts", post],
        ["ZADD", "9008_clgs_preference", "3", "907777"],
      ],
      "REFERS.DANGLING 9008_clgs_preference",
      "always",
    ),
    one("the number of records in a table", ["HSET", "db_len", "post", "-3"], "VALUE.UNDECODABLE db_len", "broken"),
    one("one of five tables", ["HSET", "db_len", "posts", "3"], "VALUE.UNDECODABLE db_len", "broken"),
    one(
      "one of the numbers of the run",
      ["HSET", "rs_param", "maxPostAge", "7"],
      "VALUE.FIELD_UNKNOWN rs_param",
      "fields",
    ),
    one("all five tables", ["HDEL", "db_len", "clg", "mmbr"], "COMPARE.BROKEN db_len", "never"),
    one(
      "a date that exists",
      ["HSET", "on_clg_info", "900046", "1,1,21,2024-02-30"],
      "VALUE.UNDECODABLE on_clg_info",
      "broken",
    ),
    one(
      "is it public?",
      ["HSET", "on_clg_info", "900047", "1,maybe,21,2024-02-20"],
      "VALUE.UNDECODABLE on_clg_info",
      "broken",
    ),
    one(
      "four values",
      ["HSET", "on_clg_info", "900048", "1,1,21,2024-02-20,x"],
      "VALUE.UNDECODABLE on_clg_info",
      "broken",
    ),
    one(
      "challenges by their ids",
      ["HSET", "on_clg_info", "first", "1,1,21,2024-02-20"],
      "VALUE.UNDECODABLE on_clg_info",
      "broken",
    ),
    one(
      "contributions by user",
      ["HSET", "user_contribution", "abc", "1,0,0,0,0"],
      "VALUE.UNDECODABLE user_contribution",
      "broken",
    ),
    one(
      "separated by commas",
      ["HSET", "user_contribution", "9010", "1;0;0;0;0"],
      "VALUE.UNDECODABLE user_contribution",
      "broken",
    ),
    one(
      "a pair for each recent post",
      ["HSET", "post_clg_pair", "905999", challenge],
      "REFERS.DANGLING post_clg_pair",
      "always",
    ),
    one("posts of a user", ["SADD", "abc_liked_posts", post], "KEY.SEGMENT abc_liked_posts", "broken"),
    one(
      "who reacted has interacted",
      ["ZADD", "9009_clgs_preference", "3", ongoing],
      "REFERS.ORPHAN 9009_clgs_preference",
      "orphans",
    ),
    one(
      "times are whole",
      [
        ["SADD", "9011_liked_posts", post],
        ["ZADD", "9011_clgs_preference", "2.5", ongoing],
      ],
      "VALUE.UNDECODABLE 9011_clgs_preference",
      "broken",
    ),
    one(
      "a category's number",
      ["ZADD", "recent_posts_for_category01", "0", post],
      "KEY.SEGMENT recent_posts_for_category01",
      "broken",
    ),
    one(
      "posts stay until their day comes round",
      ["PEXPIRE", "post_clg_pair", "100000"],
      "TTL.UNEXPECTED post_clg_pair",
      "always",
    ),
    one(
      "a recent post belongs to the category",
      [
        ["HSET", "post_clg_pair", "905998", ongoing],
        ["ZADD", stray, "0", "905998"],
      ],
      `POOL.CATEGORY ${stray}`,
      "never",
    ),
    one(
      "the key is spelled clgs_preference",
      ["ZADD", "123_clg_preference", "100", challenge],
      "KEY.UNKNOWN 123_clg_preference",
      "unknown",
    ),
  ]
}

const carto: Violations = async () => {
  const views = (name: string) => `user:${name}:mapviews`
  const table = (name: string) => `rails:cartodb_user_100_db:${name}`
  const metadata = ["the_geom_type", "point", "infowindow", "id", "privacy", "1", "user_id"]
  const of = (id: number, rest: string) => `rails:users:${id}:queries:${rest}`
  const numbers = JSON.stringify(Array.from({ length: 29 }, () => 0))
  return [
    one(
      "the members of stat_tag are days",
      ["ZADD", `${views("nora")}:stat_tag:a1b2c3`, "1", "yesterday"],
      `VALUE.UNDECODABLE ${views("nora")}:stat_tag:a1b2c3`,
      "broken",
      5,
    ),
    one(
      "the members of global are days",
      ["ZADD", `${views("otto")}:global`, "1", "total"],
      `VALUE.UNDECODABLE ${views("otto")}:global`,
      "broken",
      5,
    ),
    one(
      "the score is a number of views",
      ["ZADD", `${views("paula")}:global`, "-1", "20111003"],
      `VALUE.UNDECODABLE ${views("paula")}:global`,
      "broken",
      5,
    ),
    one(
      "map views are a user's",
      ["ZADD", `${views("ghost")}:global`, "1", "20111003"],
      `REFERS.ORPHAN ${views("ghost")}:global`,
      "orphans",
      5,
    ),
    one(
      "views of a visualization are a user's",
      ["ZADD", `${views("ghost")}:stat_tag:v1`, "1", "total"],
      `REFERS.ORPHAN ${views("ghost")}:stat_tag:v1`,
      "orphans",
      5,
    ),
    one(
      "user_id is the identifier of the owner",
      ["HSET", table("lost"), ...metadata, "99"],
      `REFERS.ORPHAN ${table("lost")}`,
      "orphans",
      0,
    ),
    one(
      "privacy is 0 or 1",
      ["HSET", table("p2"), ...metadata, "100", "privacy", "2"],
      `VALUE.UNDECODABLE ${table("p2")}`,
      "never",
      0,
    ),
    one(
      "a geometry type",
      ["HSET", table("round"), ...metadata, "100", "the_geom_type", "circle"],
      `VALUE.UNDECODABLE ${table("round")}`,
      "never",
      0,
    ),
    one(
      "a table has these four values",
      ["HSET", table("bare"), "the_geom_type", "point", "infowindow", "id", "user_id", "100"],
      `VALUE.FIELD_MISSING ${table("bare")}`,
      "broken",
      0,
    ),
    one(
      "a token is a user's",
      ["HSET", "rails:oauth_tokens:abcdef", "user_id", "99", "time", "2024-01-01T00:00:00.000Z"],
      "REFERS.ORPHAN rails:oauth_tokens:…",
      "orphans",
      3,
    ),
    one(
      "the time which the token was created",
      ["HSET", "rails:oauth_tokens:abcde0", "user_id", "100", "time", "yesterday"],
      "VALUE.UNDECODABLE rails:oauth_tokens:…",
      "never",
      3,
    ),
    one(
      "IP, controller and action, separated by #",
      ["LPUSH", "log-2011-10-03", "85.223.1.123#queries"],
      "VALUE.UNDECODABLE log-2011-10-03",
      "broken",
      1,
    ),
    one(
      "a date with its zeros",
      ["LPUSH", "log-2011-10-3", "85.223.1.123#queries#run"],
      "KEY.SEGMENT log-2011-10-3",
      "broken",
      1,
    ),
    one("a counter", ["SET", of(901, "2011-10-03"), "-1"], `VALUE.UNDECODABLE ${of(901, "2011-10-03")}`, "broken", 2),
    one(
      "accumulated time",
      ["SET", of(902, "2011-10:time"), "-0.5"],
      `VALUE.UNDECODABLE ${of(902, "2011-10:time")}`,
      "broken",
      2,
    ),
    one(
      "in total, at least as many as in a day",
      [
        ["SET", of(903, "total"), "4"],
        ["SET", of(903, "2011-10-03"), "5"],
      ],
      `COMPARE.BROKEN ${of(903, "2011-10-03")}`,
      "broken",
      2,
    ),
    one(
      "in total, at least as many as in a month",
      [
        ["SET", of(904, "total"), "4"],
        ["SET", of(904, "2011-10"), "5"],
      ],
      `COMPARE.BROKEN ${of(904, "2011-10")}`,
      "broken",
      2,
    ),
    one(
      "in a month, at least as many as of a kind",
      [
        ["SET", of(905, "total"), "9"],
        ["SET", of(905, "2011-10"), "4"],
        ["SET", of(905, "2011-10:select"), "5"],
      ],
      `COMPARE.BROKEN ${of(905, "2011-10:select")}`,
      "broken",
      2,
    ),
    one(
      "one of five kinds",
      [
        ["SET", of(906, "total"), "1"],
        ["SET", of(906, "2011-10"), "1"],
        ["SET", of(906, "2011-10:upsert"), "1"],
      ],
      `KEY.SEGMENT ${of(906, "2011-10:upsert")}`,
      "broken",
      2,
    ),
    one(
      "map views of the last 30 days",
      ["HSET", "rails:users:nora", "api_calls", numbers],
      "VALUE.UNDECODABLE rails:users:nora",
      "never",
      5,
    ),
    one(
      "the last time the user loaded his dashboard",
      ["HSET", "rails:users:otto", "last_active_time", "today"],
      "VALUE.UNDECODABLE rails:users:otto",
      "never",
      5,
    ),
    one(
      "mapviews are keys of their own",
      ["HSET", "rails:users:paula", "mapviews", "{}"],
      "VALUE.FIELD_UNKNOWN rails:users:paula",
      "fields",
      5,
    ),
    one(
      "a user has a database",
      ["HSET", "rails:users:nobody", "id", "950", "map_key", "k"],
      "VALUE.FIELD_MISSING rails:users:nobody",
      "broken",
      5,
    ),
    one("an IP", ["LPUSH", "log-2011-10-04", "somewhere#queries#run"], "VALUE.UNDECODABLE log-2011-10-04", "broken", 1),
    one(
      "a controller",
      ["LPUSH", "log-2011-10-05", "85.223.1.123##run"],
      "VALUE.UNDECODABLE log-2011-10-05",
      "broken",
      1,
    ),
    one(
      "requests are a list",
      ["SADD", "log-2011-10-06", "85.223.1.123#queries#run"],
      "KEY.TYPE log-2011-10-06",
      "broken",
      1,
    ),
    one(
      "counters can be increased",
      ["SET", of(910, "2011-10"), "12.5"],
      `VALUE.UNDECODABLE ${of(910, "2011-10")}`,
      "broken",
      2,
    ),
    one("the id of a user", ["SET", of(-5, "total"), "4"], `KEY.UNKNOWN ${of(-5, "total")}`, "unknown", 2),
    one(
      "in a month, at least as many as in a day",
      [
        ["SET", of(907, "total"), "9"],
        ["SET", of(907, "2011-10"), "4"],
        ["SET", of(907, "2011-10-03"), "5"],
      ],
      `COMPARE.BROKEN ${of(907, "2011-10-03")}`,
      "broken",
      2,
    ),
    one(
      "in a month, at least the time of a day",
      [
        ["SET", of(908, "2011-10:time"), "1.5"],
        ["SET", of(908, "2011-10-03:time"), "2.5"],
      ],
      `COMPARE.BROKEN ${of(908, "2011-10-03:time")}`,
      "broken",
      2,
    ),
    one(
      "a counter is kept",
      ["SET", of(909, "total"), "4", "EX", "1000"],
      `TTL.UNEXPECTED ${of(909, "total")}`,
      "always",
      2,
    ),
    one(
      "the time of a token",
      ["HSET", "rails:oauth_tokens:abcde1", "user_id", "100"],
      "VALUE.FIELD_MISSING rails:oauth_tokens:…",
      "broken",
      3,
    ),
    one(
      "whose token it is",
      ["HSET", "rails:oauth_tokens:abcde2", "user_id", "nora", "time", "2024-01-01T00:00:00.000Z"],
      "VALUE.UNDECODABLE rails:oauth_tokens:…",
      "never",
      3,
    ),
    one("an API key", ["HSET", "rails:users:quinn", "map_key", ""], "USER.MAP_KEY rails:users:quinn", "never", 5),
    one(
      "a subdomain",
      ["HSET", "rails:users:Twin", "id", "778", "database_name", "cartodb_user_778_db", "map_key", "k"],
      "KEY.SEGMENT rails:users:Twin",
      "broken",
      5,
    ),
    one(
      "views of a visualization are views of its user",
      [
        ["ZADD", `${views("rita")}:global`, "3", "20110101"],
        ["ZADD", `${views("rita")}:stat_tag:d4e5f6`, "9", "20110101"],
      ],
      `COMPARE.BROKEN ${views("rita")}:stat_tag:d4e5f6`,
      "broken",
      5,
    ),
    one(
      "a table is kept",
      [
        ["HSET", table("brief"), ...metadata, "100"],
        ["PEXPIRE", table("brief"), "100000"],
      ],
      `TTL.UNEXPECTED ${table("brief")}`,
      "always",
      0,
    ),
    one("tables are hashes", ["SET", table("flat"), "{}"], `KEY.TYPE ${table("flat")}`, "broken", 0),
    one("nothing is kept in database 4", ["SET", "tile:1", "x"], "KEY.UNKNOWN tile:1", "unknown", 4),
  ]
}

const X = "P:456:S:789"

const messaging: Violations = async (ask) => {
  const members = texts(await ask("SMEMBERS", `${X}:Ch:general:Sub`)).sort()
  const [manager] = texts(await ask("SMEMBERS", `${X}:Ch:general:Man`)) as [string]
  const [owner] = texts(await ask("SMEMBERS", `${X}:Ch:general:Own`)) as [string]
  const [member] = members.filter((id) => id !== manager && id !== owner) as [string]
  const tokens = texts(await ask("HVALS", "TokensKeys")).sort()
  const access = tokens.filter((key) => key.startsWith(`${X}:AccTok:`))
  const refresh = tokens.find((key) => key.startsWith(`${X}:RefTok:`))!
  const [first, second, third, fourth, fifth] = access as [string, string, string, string, string]
  const tokenOf = (key: string) => key.slice(`${X}:AccTok:`.length)
  const online = texts(await ask("SMEMBERS", `${X}:OnSub`)).sort()
  const [s1, s2] = online as [string, string]
  const deadline = String(await ask("PEXPIRETIME", `${X}:Ch:general`))
  const [subscriber, other] = texts(await ask("KEYS", `${X}:Sub:*:Ch`)).sort() as [string, string]
  const until = (key: string) => ["PEXPIREAT", key, deadline]
  const familyOf = (key: string) => key.replace(/:Ch$/, "")
  const untilOther = ["PEXPIREAT", `${familyOf(other)}:JR`, String(await ask("PEXPIRETIME", other))]
  const none = "x".repeat(40)
  return [
    one(
      "a token's project is the one in its key",
      ["HSET", first, "project", "7"],
      `COMPARE.BROKEN ${X}:AccTok:…`,
      "always",
    ),
    one(
      "the actual key of the user's token",
      ["HSET", "TokensKeys", tokenOf(second), third],
      "COMPARE.BROKEN TokensKeys",
      "broken",
    ),
    one(
      "a key of TokensKeys exists",
      ["HSET", "TokensKeys", none, `${X}:AccTok:${none}`],
      "KEYOF.DANGLING TokensKeys",
      "always",
    ),
    one("service is push, roc or sms", ["HSET", fourth, "service", "fax"], `VALUE.UNDECODABLE ${X}:AccTok:…`, "never"),
    one("a token names its user", ["HDEL", fifth, "user"], `VALUE.FIELD_MISSING ${X}:AccTok:…`, "never"),
    one(
      "banned subscribers are not subscribed",
      ["SADD", `${X}:Ch:general:BanSub`, member],
      [`EXCLUDES.BOTH ${X}:Ch:general:Sub`, `TTL.MISSING ${X}:Ch:general:BanSub`],
      "always",
    ),
    one("a status expires in 600 seconds", ["PERSIST", `${X}:St:${s1}`], `TTL.MISSING ${X}:St:${s1}`, "always"),
    one(
      "no later than in 600 seconds",
      ["PEXPIRE", `${X}:St:${s2}`, "9000000"],
      `TTL.TOO_LONG ${X}:St:${s2}`,
      "always",
    ),
    one("online subscribers have a status", ["SADD", `${X}:OnSub`, "ghost"], `SAME.EXTRA ${X}:OnSub`, "always"),
    one(
      "who has a status is online",
      [
        ["HSET", `${X}:St:quiet`, "behavioral_status", "idle"],
        ["PEXPIRE", `${X}:St:quiet`, "600000"],
      ],
      `SAME.MISSING ${X}:OnSub`,
      "always",
    ),
    one("a list of u or c prefixed ids", ["RPUSH", `${X}:C:lonely`, "7"], `VALUE.UNDECODABLE ${X}:C:lonely`, "broken"),
    one(
      "a contact list never expires",
      [
        ["RPUSH", `${X}:C:fleeting`, "u_1"],
        ["PEXPIRE", `${X}:C:fleeting`, "1000000"],
      ],
      `TTL.UNEXPECTED ${X}:C:fleeting`,
      "always",
    ),
    one(
      "channels live and die as a whole",
      [
        ["SADD", `${X}:Ch:general:JR`, "i1"],
        ["PEXPIREAT", `${X}:Ch:general:JR`, String(Number(deadline) - 60_000)],
      ],
      `TTL.FAMILY ${X}:Ch:general:JR`,
      "always",
    ),
    one(
      "the type of a channel",
      ["HSET", `${X}:Ch:general`, "type", "secret"],
      `VALUE.UNDECODABLE ${X}:Ch:general`,
      "never",
    ),
    one(
      "short names on the wire",
      ["SADD", "Channel:123456:Subscribers", "s1"],
      "KEY.UNKNOWN Channel:123456:Subscribers",
      "unknown",
    ),
    one(
      "keys are prefixed",
      ["HSET", "St:123456789", "behavioral_status", "idle"],
      "KEY.UNKNOWN St:123456789",
      "unknown",
    ),
    one(
      "a channel that a subscriber banned is not theirs",
      ["SADD", `${familyOf(subscriber)}:BanCh`, "general"],
      [`EXCLUDES.BOTH ${subscriber}`, `TTL.MISSING ${familyOf(subscriber)}:BanCh`],
      "always",
    ),
    one(
      "contacts are other users",
      ["SADD", `${familyOf(subscriber)}:C`, familyOf(subscriber).split(":").at(-1)!],
      `COMPARE.BROKEN ${familyOf(subscriber)}:C`,
      "broken",
    ),
    one(
      "a request to join is not an invitation",
      [["SADD", `${X}:Ch:general:Inv`, "i7"], until(`${X}:Ch:general:Inv`), ["SADD", `${X}:Ch:general:JR`, "i7"]],
      `EXCLUDES.BOTH ${X}:Ch:general:JR`,
      "always",
    ),
    one(
      "what is in a subscriber's request is an id",
      [["SADD", `${familyOf(other)}:JR`, "i 8"], untilOther],
      `VALUE.UNDECODABLE ${familyOf(other)}:JR`,
      "broken",
    ),
    one("an access token is valid for 3 hours", ["PERSIST", access[5]!], `TTL.MISSING ${X}:AccTok:…`, "always"),
    one("and no longer", ["PEXPIRE", access[6]!, "90000000"], `TTL.TOO_LONG ${X}:AccTok:…`, "always"),
    one(
      "an access token is in the map",
      ["HDEL", "TokensKeys", tokenOf(access[7]!)],
      `REFERS.ORPHAN ${X}:AccTok:…`,
      "orphans",
    ),
    one(
      "a refresh token is in the map",
      ["HDEL", "TokensKeys", refresh.slice(`${X}:RefTok:`.length)],
      `REFERS.ORPHAN ${X}:RefTok:…`,
      "orphans",
    ),
    one("five fields", ["HSET", access[8]!, "scope", "all"], `VALUE.FIELD_UNKNOWN ${X}:AccTok:…`, "fields"),
    one(
      "the key as it is, not its long name",
      ["HSET", "TokensKeys", "l".repeat(40), `Projects:456:Services:789:AccessTokens:${"l".repeat(40)}`],
      "VALUE.UNDECODABLE TokensKeys",
      "broken",
    ),
    one("a status is not JSON", ["SET", `${X}:St:texted`, "{}", "EX", "600"], `KEY.TYPE ${X}:St:texted`, "broken"),
    one("a project number", ["SET", "P:456:PGPN", "abc"], "VALUE.UNDECODABLE P:456:PGPN", "broken"),
    one("a certificate", ["SET", "P:456:PAPC", "hello"], "VALUE.UNDECODABLE P:456:PAPC", "broken"),
    one(
      "the initial token expires",
      [
        [
          "HSET",
          `${X}:RefTok:${"r".repeat(43)}`,
          "tenant",
          "123",
          "account",
          "007",
          "project",
          "456",
          "service",
          "push",
          "user",
          "u1",
        ],
        ["HSET", "TokensKeys", "r".repeat(43), `${X}:RefTok:${"r".repeat(43)}`],
      ],
      `REFRESH_TOKEN.FIRST ${X}:RefTok:…`,
      "never",
    ),
    one("a contact once", ["RPUSH", `${X}:C:twice`, "u_1", "c_1", "u_1"], `CONTACTS.ODD ${X}:C:twice`, "never"),
    one(
      "other users",
      ["RPUSH", `${X}:C:narcissus`, "c_narcissus", "u_narcissus"],
      `CONTACTS.ODD ${X}:C:narcissus`,
      "never",
    ),
    one("a list of contacts", ["SADD", `${X}:C:setter`, "u_1"], `KEY.TYPE ${X}:C:setter`, "broken"),
  ]
}

const restaurant: Violations = async (ask) => {
  const at = async (key: string) => JSON.parse(String(await ask("GET", key))) as Record<string, unknown>
  const set = async (key: string, change: object) => ["SET", key, JSON.stringify({ ...(await at(key)), ...change })]
  const orders = texts(await ask("SMEMBERS", "order:list")).sort()
  const [order, second, third] = orders as [string, string, string]
  const lines = texts(await ask("SMEMBERS", "cartDetail:list")).sort() as [string, string]
  const carts = texts(await ask("SMEMBERS", "cart:list")).sort() as [string, string]
  const details = texts(await ask("SMEMBERS", `order:${third}:details`))
  const owner = String((await at(`cart:${carts[1]}`))["userId"])
  return [
    one("a gender", await set("user:2", { gender: "UNKNOWN" }), "VALUE.UNDECODABLE user:2", "never"),
    one("a method", await set("permission:1", { method: "PATCH" }), "VALUE.UNDECODABLE permission:1", "never"),
    one("a price is a number", await set("dish:1", { price: "50000" }), "VALUE.UNDECODABLE dish:1", "never"),
    one(
      "an order's status",
      await set(`order:${order}`, { status: "LOST" }),
      `VALUE.UNDECODABLE order:${order}`,
      "never",
    ),
    one("the id is that of the key", await set("category:1", { id: "category_1" }), "ENTITY.ID category:1", "never"),
    one("a role of the user", await set("user:3", { roleId: "99" }), "REFERENCE.MISSING user:3", "never"),
    one("an entity never expires", ["PEXPIRE", "dish:3", "1000000"], "TTL.UNEXPECTED dish:3", "always"),
    one(
      "both sets of a category's dishes",
      ["SREM", "category:2:dishes", "4"],
      "MIRROR.MISSING category:2:dishes",
      "always",
    ),
    one(
      "an index by e-mail leads to a user",
      ["SET", "user:index:email:ghost@example.com", "99"],
      "UNIQUE.DANGLING user:index:email:ghost@example.com",
      "always",
    ),
    one("all ids are in the list", ["SREM", "role:list", "1"], "LIST.MISSING role:list", "always"),
    one("a list holds ids of entities", ["SADD", "dish:list", "999"], "LIST.DANGLING dish:list", "always"),
    one("a counter is not behind", ["SET", "permission:counter", "1"], "COUNTER.BEHIND permission:counter", "always"),
    one(
      "a role's permissions exist",
      ["SADD", "role:1:permissions", "999"],
      "THROUGH.DANGLING role:1:permissions",
      "always",
    ),
    one(
      "a payment reference leads to an order",
      ["SET", "order:index:paymentRef:VNPAY999", "999"],
      "REFERS.DANGLING order:index:paymentRef:VNPAY999",
      "always",
    ),
    one("a cache has a TTL", ["SET", "cache:cart:3", '{"id":"1","items":[]}'], "TTL.MISSING cache:cart:3", "always"),
    one(
      "a line's total is its price, so many times",
      await set(`cartDetail:${lines[0]}`, { total: 1 }),
      `CART_DETAIL.TOTAL cartDetail:${lines[0]}`,
      "never",
    ),
    one("an order's total", await set(`order:${second}`, { totalPrice: 1 }), `ORDER.TOTAL order:${second}`, "never"),
    one(
      "an order has details",
      [
        [
          "DEL",
          `order:${third}:details`,
          `orderDetail:index:order:${third}`,
          ...details.map((id) => `orderDetail:${id}`),
        ],
        ["SREM", "orderDetail:list", ...details],
      ],
      `ORDER.TOTAL order:${third}`,
      "never",
    ),
    one("there is no less than nothing", await set("dish:5", { stock: -1 }), "DISH.STOCK dish:5", "never"),
    one("nobody sold less than nothing", await set("dish:6", { soldToday: -1 }), "DISH.SOLD_TODAY dish:6", "never"),
    one(
      "items are loaded apart",
      await set(`cart:${carts[0]}`, { items: [] }),
      `RECORD.TRANSIENT cart:${carts[0]}`,
      "never",
    ),
    one("a user's role is not stored", await set("user:4", { role: { id: "1" } }), "RECORD.TRANSIENT user:4", "never"),
    one("nor a role's permissions", await set("role:2", { permissionIds: ["1"] }), "RECORD.TRANSIENT role:2", "never"),
    one("passwords are hashed", await set("user:5", { password: "secret" }), "USER.PASSWORD user:5", "never"),
    one(
      "a payment reference leads to its order",
      await set(`order:${orders[3]}`, { paymentMethod: "VNPAY", paymentRef: `VNPAY${orders[3]}` }),
      `PAYMENT_REF.MISSING order:${orders[3]}`,
      "never",
    ),
    one(
      "and not to another",
      ["SET", "order:index:paymentRef:VNPAY998", orders[4]!],
      "PAYMENT_REF.STALE order:index:paymentRef:VNPAY998",
      "never",
    ),
    one(
      "both indexes of a user's cart",
      ["SET", `user:${owner}:cart`, "99"],
      `MIRROR.DANGLING user:${owner}:cart`,
      "always",
    ),
    one("an instant", await set("dish:7", { createdAt: "yesterday" }), "VALUE.UNDECODABLE dish:7", "never"),
    one(
      "a quantity is a number",
      await set(`cartDetail:${lines[1]}`, { quantity: "2" }),
      `VALUE.UNDECODABLE cartDetail:${lines[1]}`,
      "never",
    ),
    one(
      "permissions of a role that exists",
      ["SADD", "role:99:permissions", "1"],
      "THROUGH.ORPHAN role:99:permissions",
      "orphans",
    ),
    one(
      "an index leads to the role of its name",
      ["DEL", "role:index:name:STAFF"],
      "UNIQUE.MISSING role:index:name:STAFF",
      "always",
    ),
    one("a counter is a number", ["SET", "category:counter", "abc"], "COUNTER.NOT_A_NUMBER category:counter", "always"),
    one("dishes of a category", ["SADD", "category:99:dishes", "1"], "MIRROR.STALE category:99:dishes", "always"),
    one(
      "a cache has its time",
      ["SET", "cache:cart:4", '{"id":"1","items":[]}', "EX", "5000"],
      "TTL.TOO_LONG cache:cart:4",
      "always",
    ),
    one("no other keys", ["SET", "cart:byStatus:OPEN", "1"], "KEY.UNKNOWN cart:byStatus:OPEN", "unknown"),
  ]
}

export const violations: Readonly<Record<string, Violations>> = { shop, recommender, carto, messaging, restaurant }
