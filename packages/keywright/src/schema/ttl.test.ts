import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  either,
  entity,
  family,
  fixed,
  hash,
  keyspace,
  scope,
  set,
  sliding,
  string,
  text,
  type Ttl,
  upTo,
} from "../index.ts"
import { fromMs, toMs, type Duration } from "./duration.ts"
import { ttlRule } from "./ttl.ts"

describe("durations", () => {
  test.each([
    ["30s", 30_000],
    ["10m", 600_000],
    ["1.5h", 5_400_000],
    ["7d", 604_800_000],
    ["250ms", 250],
    [".5s", 500],
    ["1.s", 1000],
    ["0.4ms", undefined],
    ["104249991d", 9_007_199_222_400_000],
  ] as [Duration, number | undefined][])("%s is %s ms", (duration, ms) => {
    if (ms === undefined || ms >= 9e15) expect(() => toMs(duration)).toThrow()
    else expect(toMs(duration)).toBe(ms)
  })

  test.each([
    "",
    "10",
    "m",
    "10 m",
    "-1s",
    "0s",
    "0.0001ms",
    "1e3s",
    "10 minutes",
    "1.2.3s",
    "1w",
    "10M",
    "9".repeat(400) + "d",
    "NaNs",
    "Infinitys",
  ])("%j is refused", (duration) => {
    expect(() => toMs(duration as Duration)).toThrow(
      expect.objectContaining({ code: "DEFINE.DURATION", fix: expect.any(String) }),
    )
  })

  test("are printed so that they can be read again", () => {
    expect(fromMs(600_000)).toBe("10m")
    expect(fromMs(90_000)).toBe("90s")
    expect(fromMs(1)).toBe("1ms")
    fc.assert(fc.property(fc.integer({ min: 1, max: 8e15 }), (ms) => toMs(fromMs(ms)) === ms))
  })
})

test.each<[Ttl, object]>([
  ["10m", { on: "write", ms: 600_000 }],
  ["never", { on: "never" }],
  [sliding("10m"), { on: "access", ms: 600_000 }],
  [fixed("1m"), { on: "creation", ms: 60_000 }],
  [either("30s", "never"), { on: "choice", choices: [30_000, "never"] }],
  [upTo("30d"), { on: "bound", ms: 2_592_000_000 }],
])("the ttl %j becomes %j", (ttl, rule) => {
  expect(ttlRule(ttl)).toEqual(rule)
})

test("a choice of fewer than two is refused", () => {
  expect(() => (either as (...choices: Duration[]) => Ttl)("30s")).toThrow(
    expect.objectContaining({ code: "DEFINE.REFUSED" }),
  )
})

describe("who decides", () => {
  const ttlOf = (made: { keys: readonly { name: string; ttl: unknown }[] }) =>
    Object.fromEntries(made.keys.map(({ name, ttl }) => [name, ttl]))
  const minute = { on: "write", ms: 60_000 }
  const hour = { on: "write", ms: 3_600_000 }

  test("the key, then its groups from the inside out, then the keyspace", () => {
    const made = keyspace(
      {
        own: string("own", text, { ttl: "1m" }),
        none: string("none", text),
        outer: scope(
          "o:",
          {
            own: string("own", text, { ttl: "never" }),
            group: string("group", text),
            inner: scope("i:", { a: string("a", text) }, { ttl: "1m" }),
          },
          { ttl: "1h" },
        ),
      },
      { ttl: "never" },
    )
    expect(ttlOf(made)).toEqual({
      own: minute,
      none: { on: "never" },
      "outer.own": { on: "never" },
      "outer.group": hour,
      "outer.inner.a": minute,
    })
  })

  test("nobody: the rule is undefined", () => {
    expect(keyspace({ a: string("a", text) }).keys[0]!.ttl).toBeUndefined()
  })

  test("a family has one deadline, and all that is in it names the family", () => {
    const made = keyspace({
      f: family("f:{x}", { ttl: "1h" }, { info: hash("", { n: text }), s: scope(":s", { a: set(":a", text) }) }),
    })
    expect(ttlOf(made)).toEqual({ "f.info": hour, "f.s.a": hour })
    expect(made.keys.map(({ family: of, pattern }) => [of, pattern])).toEqual([
      ["f", "f:{x}"],
      ["f", "f:{x}:s:a"],
    ])
  })

  test.each([
    ["a key", { a: set("a", text, { ttl: "1m" }) }, "f.a"],
    ["a key that never expires", { a: set("a", text, { ttl: "never" }) }, "f.a"],
    ["a group", { g: scope("g:", { a: set("a", text) }, { ttl: "1m" }) }, "f.g"],
    ["a family", { g: family("g:", { ttl: "1h" }, { a: set("a", text) }) }, "f.g"],
    ["a key in a group", { g: scope("g:", { a: set("a", text, { ttl: "1m" }) }) }, "f.g.a"],
    ["an entity", { e: entity("e:{id}", { id: text }, { ttl: "1m" }) }, "f.e"],
  ])("%s in a family may not have another deadline", (_, entries, path) => {
    expect(() => keyspace({ f: family("f:", { ttl: "1h" }, entries) })).toThrow(
      expect.objectContaining({
        code: "DEFINE.FAMILY",
        message: expect.stringContaining(path),
        fix: expect.any(String),
      }),
    )
  })

  test.each([undefined, "never", "", sliding("1m")])("a family needs a duration, not %j", (ttl) => {
    expect(() => family("f:", { ttl: ttl as never }, {})).toThrow(expect.objectContaining({ code: "DEFINE.DURATION" }))
  })

  test("a bad duration is refused when the keyspace is made", () => {
    expect(() => keyspace({ a: string("a", text, { ttl: "10 minutes" as never }) })).toThrow(
      expect.objectContaining({ code: "DEFINE.DURATION" }),
    )
  })

  test("an entity's records expire; what outlives them does not", () => {
    const user = {
      counter: "u:counter",
      all: "u:all",
      unique: { mail: "u:mail:{mail}" },
      index: { city: "u:city:{city}" },
    } as const
    const fields = { id: text, mail: text, city: text }
    const expected = {
      user: hour,
      "user#counter": { on: "never" },
      "user#all": { on: "never" },
      "user#mail": hour,
      "user#city": { on: "never" },
    }
    expect(ttlOf(keyspace({ user: entity("u:{id}", fields, { ...user, ttl: "1h" }) }))).toEqual(expected)
    expect(ttlOf(keyspace({ user: entity("u:{id}", fields, user) }, { ttl: "1h" }))).toEqual(expected)
  })
})

test.each([upTo("1h"), either("1h", "never")])(
  "records leave their life to the writer only where they say so themselves",
  (ttl) => {
    const fields = { id: text }
    expect(() => keyspace({ user: entity("u:{id}", fields, { ttl }) })).not.toThrow()
    expect(() => keyspace({ user: entity("u:{id}", fields) }, { ttl })).toThrow(
      expect.objectContaining({ code: "ENTITY.TTL" }),
    )
  },
)
