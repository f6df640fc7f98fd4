import { expect, test } from "vitest"
import { readChanged } from "../../errors/transaction.ts"
import type { Check } from "./checks/check.ts"
import { encodePlan } from "./encode-plan.ts"
import { Plan } from "./plan.ts"
import type { SetOwner } from "./writes/move-member.ts"

const onFailure = () => readChanged("dish:7", "dish:7")
const owner: SetOwner = { wrongType: () => onFailure() }
const was = (key: string, value: string): Check => ({ check: "string", key, value, onFailure })

const planOf = (make: (plan: Plan) => void): Plan => {
  const plan = new Plan()
  make(plan)
  return plan
}
const encoded = (plan: Plan, cluster = false) => {
  const { script, keys, args } = encodePlan(plan, cluster)
  return { script: script.name, keys, args }
}

test("a string that changes, with its sets, is a save", () => {
  const plan = planOf((one) => {
    one.checks.push(was("dish:7", "old"))
    one.write("SET", "dish:7", "new")
    one.enter("category:2", "7", owner)
    one.leave("category:1", "7", owner)
  })
  expect(encoded(plan)).toEqual({
    script: "save",
    keys: ["dish:7", "category:2", "category:1"],
    args: ["7", "1", "old", "new"],
  })
})

test("a hash that changes is a save of its own", () => {
  const plan = planOf((one) => {
    one.checks.push({ check: "hash", key: "plate:7", pairs: ["name", "a", "stock", "1"], onFailure })
    one.write("HSET", "plate:7", "stock", "2")
  })
  expect(encoded(plan)).toEqual({
    script: "save-hash",
    keys: ["plate:7"],
    args: ["4", "name", "a", "stock", "1", "stock", "2"],
  })
})

test("everything else goes part by part: reads before demands, what many keys share before single commands", () => {
  const plan = planOf((one) => {
    one.checks.push(
      { check: "type", key: "dates", type: "zset", onFailure },
      was("dish:7", "old"),
      { check: "absent", key: "dish:8", onFailure },
      { check: "set", key: "seen", members: ["a"], onFailure },
    )
    one.write("ZADD", "dates", "1", "7")
    one.write("SET", "dish:7", "new")
    one.write("SET", "dish:8", "first")
    one.write("PEXPIRE", "dish:8", "5")
    one.write("UNLINK", "gone")
    one.writes.push({ write: "delete-if", key: "name:x", value: "7" })
  })
  expect(encoded(plan)).toEqual({
    script: "apply",
    keys: ["dish:7", "dish:8", "seen", "dates", "dish:7", "dish:8", "gone", "dates", "dish:8", "name:x"],
    args: [
      ...["is-string", "1", "old", "is-absent", "1"],
      ...["checks", "2", "set", "1", "a", "type", "zset"],
      ...["mset", "2", "new", "first", "unlink", "1"],
      ...["commands", "3", "ZADD", "2", "1", "7", "PEXPIRE", "1", "5", "delete-if", "1", "7"],
    ],
  })
})

test("what was compared is not looked at again: the type of a set, the value of a key that is deleted", () => {
  const plan = planOf((one) => {
    one.checks.push(
      was("name:x", "7"),
      was("name:y", "8"),
      { check: "set", key: "seen", members: ["a"], onFailure },
      { check: "type", key: "seen", type: "set", onFailure },
      { check: "type", key: "dates", type: "set", onFailure },
    )
    for (const key of ["name:x", "name:y", "name:z"]) one.writes.push({ write: "delete-if", key, value: "7" })
  })
  const { keys, args } = encoded(plan)
  expect(keys).toEqual(["name:x", "name:y", "seen", "dates", "name:x", "name:y", "name:z"])
  expect(args.slice(4)).toEqual([
    ...["checks", "2", "set", "1", "a", "type", "set", "unlink", "1"],
    ...["commands", "2", "delete-if", "1", "7", "delete-if", "1", "7"],
  ])
})

test("a key that was written before is written again in its turn", () => {
  const plan = planOf((one) => {
    one.write("RPUSH", "list", "a")
    one.write("UNLINK", "list")
  })
  expect(encoded(plan).args).toEqual(["commands", "2", "RPUSH", "1", "a", "UNLINK", "0"])
  expect(encoded(plan).keys).toEqual(["list", "list"])
  expect(encoded(plan, true).keys).toEqual(["list", "list", "keywright:never:{list}:"])
})

test("a set that at least three members enter takes them together; one that others leave does not", () => {
  const plan = planOf((one) => {
    for (const id of ["1", "2", "3"]) {
      one.write("SET", `dish:${id}`, "{}")
      one.enter("dish:list", id, owner)
      one.enter("mixed", id, owner)
    }
    one.write("SET", "dish:4", "{}")
    one.leave("mixed", "4", owner)
  })
  const { keys, args } = encoded(plan)
  expect(keys.slice(0, 5)).toEqual(["dish:list", "mixed", "mixed", "mixed", "mixed"])
  expect(args.slice(0, 7)).toEqual(["move-many", "1", "SADD", "3", "1", "2", "3"])
  expect(args.slice(7, 12)).toEqual(["move", "4", "1", "1", "0"])
})

test("new ids come from their counter, under placeholders", () => {
  const plan = planOf((one) => {
    const id = one.allocate("dish:counter", { head: "dish:", tail: "" })
    one.write("SET", `dish:${id}`, "{}")
  })
  const { keys, args } = encoded(plan)
  expect(keys[0]).toBe("dish:counter")
  expect(keys[1]).toMatch(/^dish:kwid[0-9a-f]{24}$/)
  expect(args.slice(0, 5)).toEqual(["ids", "1", "1", "dish:", ""])
})

test("is explained in commands of Redis, and what Redis has no word for in parentheses", () => {
  const plan = planOf((one) => {
    one.write("SET", "dish:7", "new")
    one.leave("category:1", "7", owner)
    one.writes.push(
      { write: "delete-if", key: "name:x", value: "7" },
      { write: "live-as", key: "name:y", record: "dish:7" },
      { write: "note-end", key: "ends", member: "7", ms: 60_000 },
      { write: "note-end", key: "ends", member: "7", ms: 60_000, record: "dish:7" },
      { write: "remove-by-type", key: "dates", member: "7" },
    )
    one.allocate("dish:counter", { head: "dish:", tail: "" })
  })
  expect(plan.commands).toEqual([
    ["SREM", "category:1", "7"],
    ["INCR", "dish:counter"],
    ["SET", "dish:7", "new"],
    ["DEL", "name:x", "(if it is 7)"],
    ["PEXPIRE", "name:y", "(as long as dish:7)"],
    ["ZADD", "ends", "(now + 60000 ms)", "7"],
    ["ZADD", "ends", "(now + PTTL dish:7)", "7"],
    ["SREM", "dates", "7", "(or ZREM, by its type)"],
  ])
})
