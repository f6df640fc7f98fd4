import { describe, expect, it } from "vitest"
import { hash, id, int, list, map, secret, set, string, text, zset } from "../../../index.ts"
import type { Reply } from "../../../driver/driver.ts"
import { modelFor } from "./check.cases.ts"
import { holderOf } from "./holder.ts"

const user = id("user")
const model = modelFor({
  members: set("members:{group}", user),
  scores: zset("scores", user),
  roles: map("roles", user, text),
  queue: list("queue", user),
  owner: string("owner:{group}", user),
  job: hash("job:{group}", { user, tries: int }),
  profile: string("profile:{user}", text, { params: { user } }),
  hidden: set("hidden", secret(user)),
})
const rowOf = (name: string) => [...model.keys.values()].find((row) => row.declared.name === name)!
const holder = (name: string) => holderOf(rowOf(name), "user")!

describe("a key that holds ids", () => {
  it.each<[name: string, key: string, asks: string[], holds: Reply, lacks: Reply, remove: string[], add?: string[]]>([
    [
      "members",
      "members:a",
      ["SISMEMBER", "members:a", "7"],
      1,
      0,
      ["SREM", "members:a", "7"],
      ["SADD", "members:a", "7"],
    ],
    ["scores", "scores", ["ZSCORE", "scores", "7"], "1.5", null, ["ZREM", "scores", "7"]],
    ["roles", "roles", ["HEXISTS", "roles", "7"], 1, 0, ["HDEL", "roles", "7"]],
    ["queue", "queue", ["LPOS", "queue", "7"], 0, null, ["LREM", "queue", "0", "7"]],
    ["owner", "owner:a", ["GET", "owner:a"], "7", "8", ["UNLINK", "owner:a"]],
    ["job", "job:a", ["HGET", "job:a", "user"], "7", null, ["UNLINK", "job:a"]],
    ["profile", "profile:7", ["EXISTS", "profile:7"], 1, 0, ["UNLINK", "profile:7"]],
  ])("%s: is asked for one, and loses it", (name, key, command, holds, lacks, remove, add) => {
    const of = holder(name)
    expect(of.asks("7", { group: "a" })).toEqual({ key, command })
    expect([of.has(holds, "7"), of.has(lacks, "7")]).toEqual([true, false])
    expect(of.remove("7", key)).toEqual(remove)
    expect(of.add("7", key)).toEqual(add)
  })

  it("is deleted where the id is the reason for all of it", () => {
    expect(["members", "owner", "job", "profile"].map((name) => holder(name).removesKey)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it("cannot be asked while a parameter of its key is unknown", () => {
    expect(holder("members").asks("7", {})).toBeUndefined()
  })

  it("holds what was read of it, except what is unreadable", () => {
    const read = { params: {}, first: true, bad: new Map([[1, "not an id"]]), elements: ["7", "?"] } as never
    expect(holder("members").ids(read)).toEqual(["7"])
  })

  it("shows no secret id", () => {
    expect(holder("members").place("7")).toEqual({ member: "7" })
    expect(holder("roles").place("7")).toEqual({ field: "7" })
    expect(holder("hidden").place("7")).toEqual({ member: "…" })
  })
})
