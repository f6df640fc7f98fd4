import { describe, expect, it } from "vitest"
import { databaseOf, onOneServer, placesOf } from "./places.ts"
import type { System } from "./system.ts"

const one = (name: string, databases: number[], settings: Record<string, unknown> = {}) => ({
  system: { name, databases } as unknown as System,
  settings,
})

describe("where systems keep their keys", () => {
  it("alone in the address's database, together in those of the table, and where a setting says before both", () => {
    expect(placesOf([one("shop", [10])], 3, false)).toEqual([[3]])
    expect(placesOf([one("shop", [10]), one("messaging", [11])], 3, false)).toEqual([[10], [11]])
    expect(placesOf([one("shop", [10], { db: 7 })], 3, false)).toEqual([[7]])
    expect(placesOf([one("carto", [], { dbs: [0, 1, 2] }), one("shop", [10])], 3, false)).toEqual([[0, 1, 2], [10]])
  })

  it("ALL-1: refuses that two share one, unless it is forced", () => {
    const both = [one("shop", [10], { db: 2 }), one("carto", [], { dbs: [0, 1, 2] })]
    expect(() => placesOf(both, 0, false)).toThrow("shop and carto would share database 2")
    expect(placesOf(both, 0, true)).toEqual([[2], [0, 1, 2]])
  })

  it.each([
    ["redis://h:6379/3", 3],
    ["redis://h", 0],
    ["redis://user:p%2F4@h:1/15?protocol=2", 15],
    ["rediss://h?db=4", 4],
    ["unix:///run/redis.sock?db=2", 2],
    ["unix:///run/5", 0],
  ])("reads the database of %s", (address, db) => {
    expect(databaseOf(address)).toBe(db)
  })

  it.each([
    ["redis://127.0.0.1:7000", "redis://127.0.0.1:7000?cluster=off"],
    ["rediss://u:p@h:1/3?timeoutMs=5", "rediss://u:p@h:1/3?timeoutMs=5&cluster=off"],
    ["redis://h?cluster=off", "redis://h?cluster=off"],
    ["redis+sentinel://h1,h2/main", "redis+sentinel://h1,h2/main"],
  ])("of a system with several of them, %s means one server", (address, alone) => {
    expect(onOneServer(address)).toBe(alone)
  })
})
