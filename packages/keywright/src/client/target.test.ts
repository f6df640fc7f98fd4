import { describe, expect, it } from "vitest"
import type { Driver } from "../driver/driver.ts"
import { chooseTarget, describeTarget } from "./target.ts"

const engine = { connect: () => Promise.reject(new Error("never asked")) }

describe("the server that is used", () => {
  it("is the one that was handed over, whatever the environment says", () => {
    const env = { REDIS_URL: "redis://elsewhere:1", NODE_ENV: "production" }
    expect(chooseTarget("redis://here:2", env)).toEqual({ target: "redis://here:2", from: "given" })
    expect(chooseTarget({ client: env }, env).from).toBe("given")
    expect(chooseTarget({ engine }, env).from).toBe("given")
    expect(chooseTarget("memory:", env)).toEqual({ target: "memory:", from: "given" })
  })

  it("is that of REDIS_URL when nothing was handed over", () => {
    const env = { REDIS_URL: "redis://elsewhere:1", NODE_ENV: "production" }
    expect(chooseTarget(undefined, env)).toEqual({ target: "redis://elsewhere:1", from: "REDIS_URL" })
    expect(chooseTarget("", env).from).toBe("REDIS_URL")
  })

  it("is the embedded engine when there is no address at all", () => {
    expect(chooseTarget(undefined, {})).toEqual({ target: "memory:", from: "default" })
    expect(chooseTarget(undefined, { REDIS_URL: "", NODE_ENV: "development" }).target).toBe("memory:")
  })

  it("must be named in production", () => {
    expect(() => chooseTarget(undefined, { NODE_ENV: "production" })).toThrow(
      expect.objectContaining({ code: "CONNECT.ADDRESS_REQUIRED" }),
    )
    expect(() => describeTarget("", { NODE_ENV: "production", REDIS_URL: "" })).toThrow("NODE_ENV is production")
  })

  it.each(["memory:./data", "local:/var/lib/data", "local://data"])(
    "keeps nothing on disk: %s is refused",
    (target) => {
      const refused = expect.objectContaining({
        code: "CONNECT.KEEPS_NOTHING",
        fix: expect.stringContaining("start({ directory })"),
      })
      expect(() => chooseTarget(target, {})).toThrow(refused)
      expect(() => chooseTarget(undefined, { REDIS_URL: target })).toThrow(refused)
    },
  )

  it("is described in one line, with the reason, without user and password", () => {
    const env = { REDIS_URL: "redis://app:hunter2@db.example:6380/3" }
    expect(describeTarget(undefined, env)).toBe("redis://db.example:6380/3, from REDIS_URL")
    expect(describeTarget("rediss://:hunter2@db.example", {})).toBe("rediss://db.example:6379/0, as given")
    expect(describeTarget({ client: {} }, env)).toBe("a client, as given")
    const driver = { label: "redis://db.example:6380/3" } as Driver
    const shared = "redis://db.example:6380/3, the connection of another client, as given"
    expect(describeTarget({ driver }, env)).toBe(shared)
    expect(describeTarget({ engine }, env)).toBe("an engine, as given")
    expect(describeTarget(undefined, {})).toBe(
      "the embedded engine, in memory, because no address was given and REDIS_URL is not set",
    )
  })

  it("is refused when the address is not valid, without repeating it", () => {
    const error = (() => {
      try {
        return describeTarget("http://app:hunter2@host")
      } catch (caught) {
        return caught as Error
      }
    })()
    expect(error).toHaveProperty("code", "DRIVER.ADDRESS")
    expect(JSON.stringify(error) + String(error)).not.toContain("hunter2")
  })
})
