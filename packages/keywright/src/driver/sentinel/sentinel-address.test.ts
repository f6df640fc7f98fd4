import { describe, expect, test } from "vitest"
import { KeywrightError } from "../../errors/error.ts"
import { isSentinelAddress, parseSentinelAddress } from "./sentinel-address.ts"

describe("an address of sentinels", () => {
  const one = { service: "orders", sentinels: [{ host: "h1", port: 26_379 }] }
  for (const [url, want] of Object.entries({
    "redis+sentinel://h1/orders": { ...one, primary: { db: 0, tls: false } },
    "redis+sentinel://h1/orders/2": { ...one, primary: { db: 2 } },
    "rediss+sentinel://u:p%40@h1/orders": { ...one, primary: { tls: true, username: "u", password: "p@" } },
    "valkey+sentinel://h1/orders?timeoutMs=5&sentinel_password=x": {
      ...one,
      sentinelPassword: "x",
      primary: { timeoutMs: 5, password: undefined },
    },
    "redis+sentinel://h1/orders?sentinel_password=My@pw/1": { ...one, sentinelPassword: "My@pw/1" },
    "redis-sentinel://h1/3?sentinelMasterId=orders": { ...one, primary: { db: 3 } },
    "redis-sentinel://h1/0#orders": { ...one, primary: { db: 0 } },
    "redis-sentinel://h1#orders": one,
    "redis+sentinel://h1:1,h2,[::1]:3/orders": {
      service: "orders",
      sentinels: [
        { host: "h1", port: 1 },
        { host: "h2", port: 26_379 },
        { host: "::1", port: 3 },
      ],
    },
  })) {
    test(`reads ${url}`, () => {
      expect(isSentinelAddress(url)).toBe(true)
      expect(parseSentinelAddress(url)).toMatchObject(want)
    })
  }

  for (const url of [
    "redis+sentinel://u:hunter2@h1",
    "redis+sentinel://u:hunter2@h1/",
    "redis+sentinel://u:hunter2@/orders",
    "redis+sentinel://u:hunter2@h1/orders/2/more",
    "redis+sentinel://u:hunter2@h1/orders/two",
    "redis+sentinel://u:hunter2@h1:x/orders",
    "redis+sentinel://u:hunter2@h1/orders?nosuch=1",
    "redis+sentinel://u:hunter2@h1/%/1",
    "redis+sentinel://u:hunter2/orders",
    "redis+sentinel://u:hunter2%40h1/orders",
    "redis+sentinel://:hunter2%40h1:1/orders",
    "redis+sentinel://u:hunter2,h1/orders",
    "redis+sentinel://u:99/hunter2@h1/orders",
    "redis+sentinel://u:99?hunter2@h1/orders",
    "redis+sentinel://u:99?hunter2@h1#orders",
    "redis+sentinel://u:99#hunter2@h1/orders",
    "redis+sentinel://u:99/hunter2/orders",
    "redis+sentinel://h1?sentinel_password=My@hunter2",
    "redis+sentinel://h1/orders?sentinel_password=My@pw&nosuch=hunter2",
    "redis-sentinel://u:hunter2/0#orders",
    "redis-sentinel://u:98765/0#orders",
    "redis+sentinel://u:98765?sentinel_password=@h1/2#orders",
  ])
    test(`refuses ${url} without showing the password`, () => {
      let error: unknown
      try {
        parseSentinelAddress(url)
      } catch (caught) {
        error = caught
      }
      expect(error).toMatchObject({ code: "DRIVER.ADDRESS" })
      const { message, why } = error as KeywrightError
      expect(JSON.stringify([message, why, error])).not.toMatch(/hunter2|98765/)
    })
})
