/* A canary in every secret place of the systems' data, right and wrong: nothing that
 * reads this data may show one. */

const token = "CANARY_token_00000000000000"
const X = "P:456:S:789:"

/** db, command. */
type Write = readonly [number, ...string[]]

export interface Canaries {
  readonly writes: readonly Write[]
  /** For `inspect`. */
  readonly keys: readonly string[]
  /** For `ls` and `purge`. */
  readonly names: readonly string[]
  /** For `get`. */
  readonly gets: readonly string[]
}

/** What the toolkit would note of a record that has a secret id. */
const note = (pattern: string, id: string): Write => [0, ...["ZADD", `keywright:expiry:${pattern}`, "1", `${id}\t`]]

export const canaries: Readonly<Record<string, Canaries>> = {
  shop: {
    writes: [
      [0, "HSET", "login:", "CANARY-1", "ann"],
      [0, "ZADD", "recent:", "1", "CANARY-2"],
      [0, "ZADD", "viewed:CANARY-1", "1", "item1"],
      [0, "SADD", "cart:CANARY-1", "wrong type"],
      [0, "HSET", "cart:CANARY-3", "item1", "not a number"],
      [0, "SET", "viewed:CANARY-4", "x", "EX", "5000"],
      note("cart:{token}", "CANARY-5"),
    ],
    keys: ["login:", "recent:", "viewed:CANARY-1", "cart:CANARY-1", "cart:CANARY-3"],
    names: ["viewed", "cart"],
    gets: ["login", "recent", "viewed token=CANARY-1", "cart token=CANARY-3", "cart token=CANARY-none"],
  },
  messaging: {
    writes: [
      [0, "HSET", `${X}RefTok:${token}`, "tenant", "1", "user", "7", "access_token", token],
      [0, "HSET", `${X}AccTok:${token}`, "tenant", "1"],
      [0, "HSET", "TokensKeys", token, `${X}AccTok:${token}x`, "short-CANARY", "CANARY"],
      [0, "SET", "P:456:PGSK", "CANARY"],
      [0, "LPUSH", "P:456:PAPC", "CANARY"],
      [0, "SET", "P:457:PAPC", "CANARY"],
      [0, "SET", "P:456:PGPN", "CANARY", "EX", "500"],
      [0, "SET", `keywright:messaging:pair:${token}`, token],
      [0, "HSET", "keywright:messaging:family:CANARY_family_00000000", "refresh", token, "access", token, "at", "x"],
    ],
    keys: [
      `${X}RefTok:${token}`,
      `${X}AccTok:${token}`,
      "TokensKeys",
      "P:456:PGSK",
      `keywright:messaging:pair:${token}`,
      "keywright:messaging:family:CANARY_family_00000000",
    ],
    names: ["people.refreshToken", "people.pairedRefresh", "people.tokenFamily"],
    gets: [
      `people.refreshToken project=456 service=789 token=${token}`,
      "people.tokenKeys",
      "projects.apnsCertificate project=457",
    ],
  },
  carto: {
    writes: [
      [5, "HSET", "rails:users:dev", "id", "1", "database_name", "db", "map_key", "CANARY"],
      [5, "HSET", "rails:users:old", "map_key", "CANARY", "id", "x"],
      [3, "HSET", "rails:oauth_tokens:CANARY", "user_id", "x", "time", "y"],
      [3, "SET", "rails:oauth_tokens:CANARY2", "x"],
    ],
    keys: ["rails:users:dev --db 5", "rails:oauth_tokens:CANARY --db 3"],
    names: ["credentials.oauthToken"],
    gets: ["users.user username=dev", "credentials.oauthToken oauthToken=CANARY"],
  },
  restaurant: {
    writes: [
      [
        0,
        "SET",
        "user:1",
        '{"id":"1","username":"a","email":"a@b.c","password":"CANARY","refreshToken":"CANARY","roleId":"9"}',
      ],
      [0, "SET", "user:2", '{"id":"3","password":["CANARY"]}'],
      [0, "SET", "user:4", '{"password":"CANARY'],
      [0, "SET", "user:index:email:a@b.c", "9"],
    ],
    keys: ["user:1", "user:2", "user:4"],
    names: ["user"],
    gets: ["user id=1", "user id=4"],
  },
}
