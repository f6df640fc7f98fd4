import { describe, expect, test } from "vitest"
import { KeywrightError } from "../errors/error.ts"
import { parseAddress, showAddress } from "./address.ts"

describe("an address", () => {
  for (const [url, want] of Object.entries({
    "redis://": { host: "127.0.0.1", port: 6379, db: 0, tls: false },
    "redis://example.org": { host: "example.org", port: 6379, db: 0 },
    "redis://example.org:7000/5": { host: "example.org", port: 7000, db: 5 },
    "rediss://user:p%40ss%2F%3A@example.org/1": { tls: true, username: "user", password: "p@ss/:", db: 1 },
    "redis://:secret@[::1]:6380": { host: "::1", port: 6380, username: undefined, password: "secret" },
    "redis://u:p@a:7000,b:7001,[::1]:7002/0?cluster=off": {
      host: "a",
      port: 7000,
      password: "p",
      cluster: "off",
      others: [
        { host: "b", port: 7001 },
        { host: "::1", port: 7002 },
      ],
    },
    "redis://a,b": { host: "a", port: 6379, others: [{ host: "b", port: 6379 }] },
    "redis://u:one,two@h": { host: "h", password: "one,two", others: [] },
    "valkeys://h": { host: "h", tls: true },
    "redis://h?protocol=2&timeoutMs=500&name=app&db=3": { protocol: 2, timeoutMs: 500, name: "app", db: 3 },
    "redis://h?replyBytes=2000000000": { replyBytes: 2_000_000_000 },
    "unix:///run/redis.sock": { path: "/run/redis.sock", db: 0 },
    "unix:///run/redis.sock?db=2": { path: "/run/redis.sock", db: 2 },
    "redis+unix://user:pw@/run/my%20redis.sock": { path: "/run/my redis.sock", username: "user", password: "pw" },
  })) {
    test(`reads ${url}`, () => expect(parseAddress(url)).toMatchObject(want))
  }

  for (const url of [
    "redis://user:hunter2@host:99999",
    "redis://user:hunter2?9@h",
    "redis://user:99?hunter2@h",
    "redis://user:99#hunter2@h",
    "redis://user:99/hunter2@h",
    "redis://user:hunter2@x@h?y=1",
    "redis://user:hunter2@host/db",
    "redis://user:hunter2@host?nosuch=hunter2",
    "redis://user:hunter2@host?protocol=4",
    "redis://user:hunter2@host?cluster=maybe",
    "redis://user:hunter2@a,b:c:d",
    "redis://user:hunter2@a,",
    "redis://user:hunter2%@host",
    "http://user:hunter2@host",
    "user:hunter2@host",
    " redis://user:hunter2@host",
    "redis://:hunter2",
    "redis://user:hunter2",
    "redis://user:hunter2/0",
    "redis://user:98765/0",
    "redis://a:7000,user:hunter2",
    "redis://user%3Ahunter2%40host",
    "redis://user%3ahunter2%40host:7000/1",
    "redis://user%3Ahunter2",
    "redis://a:7000,user%3Ahunter2%40b",
    "redis://h?name=a@hunter2&foo=1",
    "redis://user:99?hunter2",
    "redis://user:99/hunter2",
    "redis://user:hunter2]:1/",
    "redis://user%253Ahunter2%2540h",
    "redis://[userhunter2]/0",
    "hunter2",
    "unix://user:hunter2@h:x/y?db=z",
  ]) {
    test(`refuses ${url} without showing the password`, () => {
      let error: unknown
      try {
        parseAddress(url)
      } catch (caught) {
        error = caught
      }
      expect(error).toBeInstanceOf(KeywrightError)
      expect((error as KeywrightError).code).toBe("DRIVER.ADDRESS")
      const shown = `${(error as KeywrightError).message} ${(error as KeywrightError).why} ${JSON.stringify(error)}`
      expect(shown).not.toMatch(/hunter2|98765/)
    })
  }

  test("is shown without user and password", () => {
    expect(showAddress(parseAddress("rediss://user:pw@[::1]:1/2"))).toBe("rediss://[::1]:1/2")
    expect(showAddress(parseAddress("unix://user:pw@/a.sock?db=1"))).toBe("unix:///a.sock?db=1")
  })
})
