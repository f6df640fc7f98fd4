import { expect, it } from "vitest"
import type { Observed } from "./database-miner.ts"
import { toolkitKeys } from "../../../schema/toolkit-keys.ts"
import { redisTypes } from "../../../schema/define.ts"
import { OwnKeyCounter } from "./own-keys.ts"

const observed = (key: string, type: string, ttlMs: number) => ({ key, type, ttlMs }) as unknown as Observed

it("counts Keywright's own, and leaves what is not as it writes it", () => {
  const counter = new OwnKeyCounter()
  const never = toolkitKeys().find(({ ttl }) => ttl?.on === "never")!
  const [key, type] = [never.pattern.replace(/\{\w+\}/g, "x"), redisTypes[never.kind]]
  expect([
    counter.note(observed(key, type, -1)),
    counter.note(observed(key, type, 1000)),
    counter.note(observed(key, "list", -1)),
    counter.note(observed("keywright:somebody:else", type, -1)),
    counter.note(observed("user:1", type, -1)),
  ]).toEqual([true, false, false, false, false])
  expect(counter.found(2)).toEqual([{ db: 2, pattern: never.pattern, keys: 1, doc: never.doc }])
  expect(counter.examples).toEqual([key])
})
