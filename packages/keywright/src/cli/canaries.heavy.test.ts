/* A canary in every secret place of the systems' data, right and wrong: no command
 * prints one, in no format. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../test/real-redis.ts"
import { openResp } from "../driver/resp/open-resp.ts"
import { freshBundle, runCli } from "./run-cli.cases.ts"

const token = "CANARY_token_00000000000000"
const X = "P:456:S:789:"

/** db, command. */
type Write = readonly [number, ...string[]]

const data: Record<string, { writes: Write[]; keys: string[]; names: string[] }> = {
  shop: {
    writes: [
      [0, "HSET", "login:", "CANARY-1", "ann"],
      [0, "ZADD", "recent:", "1", "CANARY-2"],
      [0, "ZADD", "viewed:CANARY-1", "1", "item1"],
      [0, "SADD", "cart:CANARY-1", "wrong type"],
      [0, "HSET", "cart:CANARY-3", "item1", "not a number"],
      [0, "SET", "viewed:CANARY-4", "x", "EX", "5000"],
    ],
    keys: ["login:", "recent:", "viewed:CANARY-1", "cart:CANARY-1", "cart:CANARY-3"],
    names: ["viewed", "cart"],
  },
  messaging: {
    writes: [
      [0, "HSET", `${X}RefTok:${token}`, "tenant", "1", "user", "7", "access_token", token],
      [0, "HSET", `${X}AccTok:${token}`, "tenant", "1"],
      [0, "HSET", "TokensKeys", token, `${X}AccTok:${token}x`, "short-CANARY", "CANARY"],
      [0, "SET", "P:456:PGSK", "CANARY"],
      [0, "LPUSH", "P:456:PAPC", "CANARY"],
      [0, "SET", `keywright:messaging:pair:${token}`, token],
    ],
    keys: [
      `${X}RefTok:${token}`,
      `${X}AccTok:${token}`,
      "TokensKeys",
      "P:456:PGSK",
      `keywright:messaging:pair:${token}`,
    ],
    names: ["service.refreshToken", "pairedRefresh"],
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
  },
}

describe.runIf(needs("redis-server"))("no canary is printed", () => {
  let server: RealRedis
  beforeAll(async () => {
    await freshBundle()
    server = await startRedis({ args: ["--requirepass", "CANARY-password", "--slowlog-log-slower-than", "0"] })
  })
  afterAll(() => server.stop())

  it.each(Object.keys(data))("of %s, by any command", async (name) => {
    const url = `redis://default:CANARY-password@127.0.0.1:${server.port}`
    const { writes, keys, names } = data[name]!
    const driver = openResp(url)
    await driver.send(["FLUSHALL"])
    for (const [db, ...command] of writes) await (await driver.database(db)).send(command)
    await driver.close()
    const calls = [
      ["audit"],
      ["audit", "--json"],
      ["audit", "--format", "sarif"],
      ["audit", "--format", "github"],
      ["stats"],
      ["stats", "--json"],
      ["doctor"],
      ["doctor", "--json"],
      ["top", "--count", "1", "--json", "--interval", "0.2"],
      ...keys.flatMap((key) => [
        ["inspect", ...key.split(" ")],
        ["inspect", ...key.split(" "), "--json"],
      ]),
      ...names.flatMap((key) => [
        ["ls", key],
        ["ls", key, "--json"],
      ]),
    ]
    for (const call of calls) {
      const { stdout, stderr, code } = await runCli([...call, "--config", `systems/${name}`, "--url", url])
      expect(code, `${call.join(" ")}: ${stderr}`).toBeLessThan(2)
      expect((stdout + stderr).includes("CANARY"), `${call.join(" ")} prints a canary:\n${stdout}`).toBe(false)
    }
  })
})
