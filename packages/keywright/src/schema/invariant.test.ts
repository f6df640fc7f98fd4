import { describe, expect, test } from "vitest"
import {
  at,
  compare,
  csv,
  excludes,
  hash,
  id,
  int,
  inverse,
  keyspace,
  list,
  map,
  refersTo,
  sameIds,
  scope,
  set,
  string,
  text,
  zset,
} from "../index.ts"
import type { Invariant } from "../index.ts"
import { placesOf } from "./place.ts"

const token = id("token")
const user = id("user")
const channel = id("channel")

const entries = {
  login: map("login:", token, user),
  recent: zset("recent:", token),
  status: hash("St:{user}", { state: text }, { params: { user } }),
  online: set("OnSub", user),
  subscribers: set("Ch:{channel}:Sub", user, { params: { channel } }),
  subscriptions: set("Sub:{user}:Ch", channel, { params: { user } }),
  owners: set("Ch:{channel}:Own", user, { params: { channel } }),
  settings: hash("settings", { days: int }),
  info: map("info", token, csv({ kind: int, note: text })),
  best: string("best", int),
  plain: set("plain", text),
  group: scope("g:", { inner: list("inner", token) }),
}
const made = (...invariants: Invariant[]) => keyspace(entries, { invariants: invariants as never })

describe("invariants", () => {
  test("are plain data; the first key is the truth unless another is named", () => {
    expect(sameIds(token, ["login", "recent"])).toMatchObject({
      kind: "same",
      id: "token",
      keys: ["login", "recent"],
      truth: "login",
    })
    expect(sameIds(token, ["login", "recent"], { truth: "recent", doc: "Why." })).toMatchObject({
      truth: "recent",
      doc: "Why.",
    })
    expect(refersTo(user, "online", "status")).toMatchObject({
      kind: "reference",
      id: "user",
      from: "online",
      to: "status",
    })
    expect(inverse("subscribers", "subscriptions")).toMatchObject({ kind: "inverse", truth: "subscribers" })
    expect(Object.isFrozen(inverse("a", "b"))).toBe(true)
  })

  test("find ids in fields, members, values, items and segments", () => {
    const keys = Object.fromEntries(made().keys.map((key) => [key.name, key]))
    expect(placesOf(keys["login"]!, "token")).toEqual(["field"])
    expect(placesOf(keys["login"]!, "user")).toEqual(["value"])
    expect(placesOf(keys["recent"]!, "token")).toEqual(["member"])
    expect(placesOf(keys["group.inner"]!, "token")).toEqual(["item"])
    expect(placesOf(keys["subscribers"]!, "channel")).toEqual(["{channel}"])
    expect(placesOf(keys["plain"]!, "token")).toEqual([])
  })

  test.each<[string, Invariant]>([
    ["the same ids in three places, one of them in a group", sameIds(token, ["login", "recent", "group.inner"])],
    ["a reference from members to a key", refersTo(user, "online", "status")],
    ["a reference to one of several", refersTo(token, "group.inner", ["login", "recent"])],
    ["a reference to a place", refersTo(user, at("login", "value"), at("status", "{user}"))],
    ["two that rule each other out", excludes("subscribers", "owners")],
    ["two that rule each other out from both sides", excludes("subscribers", "subscriptions", { grace: "10s" })],
    ["a comparison within a key", compare(at("status", "state"), "=", at("status", "{user}"))],
    ["a comparison with another key", compare(at("recent", "score"), "<=", at("settings", "days", { otherwise: 7 }))],
    ["a comparison with the same member elsewhere", compare(at("recent", "score"), "<", at("info", "value.kind"))],
    ["values that differ", compare(at("status", "state"), "!=", at("status", "{user}"))],
    ["a comparison with a number", compare(at("group.inner", "size"), "<=", 25)],
    ["a comparison of a part", compare(at("info", "value.kind"), "<", at("settings", "days"))],
    ["two sides of one relation", inverse("subscribers", "subscriptions", { truth: "subscriptions" })],
  ])("are accepted: %s", (_, invariant) => {
    expect(made(invariant).invariants).toEqual([invariant])
  })

  test.each<[string, Invariant, string]>([
    ["an unknown key", sameIds(token, ["login", "recnt"]), "KEYSPACE.REFERENCE"],
    ["an unknown key in a group", refersTo(token, "group.outer", "login"), "KEYSPACE.REFERENCE"],
    ["a group", refersTo(token, "group", "login"), "KEYSPACE.REFERENCE"],
    ["an unknown side", inverse("subscribers", "subscribed"), "KEYSPACE.REFERENCE"],
    ["a key without such ids", sameIds(token, ["login", "online"]), "KEYSPACE.INVARIANT"],
    ["a target without such ids", refersTo(user, "online", "recent"), "KEYSPACE.INVARIANT"],
    [
      "a truth that it does not name",
      sameIds(token, ["login", "recent"], { truth: "group.inner" }),
      "KEYSPACE.INVARIANT",
    ],
    [
      "a truth that does not exist",
      inverse("subscribers", "subscriptions", { truth: "nowhere" }),
      "KEYSPACE.INVARIANT",
    ],
    ["one key twice", sameIds(token, ["login", "login"]), "KEYSPACE.INVARIANT"],
    ["a key that refers to itself", refersTo(token, "login", "login"), "KEYSPACE.INVARIANT"],
    ["sides without named members", inverse("subscribers", "plain"), "KEYSPACE.INVARIANT"],
    ["a place that it does not have", refersTo(token, at("login", "value"), "recent"), "KEYSPACE.INVARIANT"],
    ["no target", refersTo(token, "login", []), "KEYSPACE.INVARIANT"],
    ["one target twice", refersTo(token, "login", ["recent", "recent"]), "KEYSPACE.INVARIANT"],
    ["one that rules itself out", excludes("subscribers", "subscribers"), "KEYSPACE.INVARIANT"],
    ["two whose parameters differ", excludes("subscribers", "online"), "KEYSPACE.INVARIANT"],
    ["two of other ids", excludes("subscribers", "plain"), "KEYSPACE.INVARIANT"],
    ["a place of no key", compare(at("status", "sate"), "=", 1), "KEYSPACE.INVARIANT"],
    ["the size of one value", compare(at("best", "size"), "=", 1), "KEYSPACE.INVARIANT"],
    ["a parameter of no key", compare(at("status", "{usr}"), "=", 1), "KEYSPACE.INVARIANT"],
    ["an unknown comparison", compare(at("recent", "score"), "~" as "=", 1), "KEYSPACE.INVARIANT"],
    ["the members of another key", compare(at("recent", "score"), "<", at("login", "field")), "KEYSPACE.INVARIANT"],
    ["no number", compare(at("recent", "score"), "<", Number.NaN), "KEYSPACE.INVARIANT"],
    ["one of many", compare(at("settings", "days"), "<", at("recent", "score")), "KEYSPACE.INVARIANT"],
    ["which of them", compare(at("recent", "score"), "<", at("status", "state")), "KEYSPACE.INVARIANT"],
    ["no time", excludes("subscribers", "owners", { grace: "soon" as "1s" }), "DEFINE.DURATION"],
    ["sides that do not answer each other", inverse("subscribers", "online"), "KEYSPACE.INVARIANT"],
  ])("are refused: %s", (_, invariant, code) => {
    expect(() => made(invariant)).toThrow(expect.objectContaining({ code, fix: expect.any(String) }))
  })

  test("an unknown key's error lists those that exist", () => {
    expect(() => made(sameIds(token, ["login", "nope"]))).toThrow(
      expect.objectContaining({ fix: expect.stringContaining("login, recent") }),
    )
  })
})

test("ids of numbers serve as well", () => {
  const post = id("post", int)
  const likes = keyspace(
    { liked: set("{user}_liked", post), posts: map("posts", post, text), best: string("best", post) },
    { invariants: [refersTo(post, "liked", "posts"), refersTo(post, "best", "posts")] },
  )
  expect(likes.invariants).toHaveLength(2)
})
