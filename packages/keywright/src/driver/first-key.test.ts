import { describe, expect, test } from "vitest"
import { clusterSlot } from "./cluster-slot.ts"
import { firstKey } from "./first-key.ts"

describe("the first key of a command", () => {
  for (const [command, key] of [
    ["GET k", "k"],
    ["mget k l", "k"],
    ["PING", undefined],
    ["SCAN 0 MATCH k", undefined],
    ["EVAL source 2 k l a", "k"],
    ["EVALSHA digest 0 a", undefined],
    ["FCALL f 1 k", "k"],
    ["ZUNION 2 k l", "k"],
    ["ZUNIONSTORE d 2 k l", "d"],
    ["BLMPOP 0 1 k LEFT", "k"],
    ["LMPOP 1 k LEFT", "k"],
    ["XREAD COUNT 1 STREAMS k 0", "k"],
    ["XREADGROUP GROUP g c BLOCK 5 streams k >", "k"],
    ["OBJECT ENCODING k", "k"],
    ["MEMORY USAGE k", "k"],
    ["XGROUP CREATE k g 0", "k"],
    ["BITOP AND d a b", "d"],
    ["PUBLISH channel m", undefined],
  ] as const) {
    test(`of ${command} is ${key ?? "none"}`, () => expect(firstKey(command.split(" "))).toBe(key))
  }
})

describe("the slot of a key", () => {
  for (const [key, slot] of [
    ["", 0],
    ["foo", 12182],
    ["123456789", 12739],
    ["{user1000}.following", 3443],
    ["{user1000}.followers", 3443],
    ["foo{}{bar}", 8363],
    ["foo{{bar}}zap", 4015],
    ["foo{bar}{zap}", 5061],
    ["{", 4092],
    ["é{foo}", 12182],
    ["x{é}y", 10180],
  ] as const) {
    test(`of ${JSON.stringify(key)} is ${slot}`, () => {
      expect(clusterSlot(key)).toBe(slot)
      expect(clusterSlot(Buffer.from(key))).toBe(slot)
    })
  }
})
