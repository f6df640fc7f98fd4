/* What types keys have, as pages say it. */

import { describe, expect, it } from "vitest"
import { hash, keyspace, list, set, string, text, zset } from "../../index.ts"
import { pageSlips } from "./check-page.ts"
import { typesBeside } from "./page-types.ts"
import { maskedLines } from "./page-text.ts"

const schema = keyspace(
  {
    session: hash("session:{token}", { user: text }),
    cart: string("cart:{user}", text),
    online: set("online", text),
    board: zset("board:{week}", text),
    feed: list("feed:{user}", text),
  },
  { ttl: "never" },
)
const said = (page: string) => {
  const { seen } = pageSlips(schema, { text: page })
  return typesBeside(seen, maskedLines(page)).map(({ key, type }) => `${key.owner.key.name} ${type}`)
}

describe("beside a key", () => {
  it.each([
    ["* `session:{token}` (hash, expires after 30 minutes)", ["session hash"]],
    ["- `board:{week}` – ZSET, kept forever", ["board zset"]],
    ["- `board:{week}`: sorted set of scores", ["board zset"]],
    ["- feed:42 - list; the newest first", ["feed list"]],
    ["- `online` (list): users who are online", ["online list"]],
    ["- `cart:{user}` — a Redis string", ["cart string"]],
    ["- `session:{token}` **hash**", ["session hash"]],
    ["We write a hash at session:abc when they log in.", ["session hash"]],
    ["The sorted set board:7 has the scores.", ["board zset"]],
    // Ordinary words.
    ["session:abc - set by the login", []],
    ["cart:7: list all items with it", []],
    ["cart:7, hash of the password", []],
    ["cart:7 - string together what they bought", []],
    ["We keep a list in cart:7.", []],
    ["the set of all users, cart:7", []],
    ["everybody is in the list online", []],
    ["`SADD online 7` (list)", []],
    ["cart:7 and cart:8 (hash)", ["cart hash"]],
  ] as const)("%s", (page, types) => expect(said(page)).toEqual(types))
})

describe("on several lines", () => {
  it.each([
    ["When they log in, we write a hash\nat session:abc with their name.", ["session hash"]],
    ["- `board:{week}` –\n  sorted set of all players", ["board zset"]],
    ["> The scores are in the sorted\nset board:7, as ever.", ["board zset"]],
    // An ordinary word, which the next line shows.
    ["session:abc - set\nby the login", []],
    ["cart:7: list\nall items with it", []],
    // Another item, another paragraph, another heading.
    ["- `feed:{user}`\n- list of the newest", []],
    ["cart:7\n\nset of items", []],
    ["# The cart:7\nlist of items", []],
    ["cart:7  \nlist of items", []],
  ] as const)("%j", (page, types) => expect(said(page)).toEqual(types))
})

describe("in a table", () => {
  it("has a column for it", () => {
    const head = ["| Key | Type | TTL |", "| --- | --- | --- |"]
    const rows = [
      "| `session:<token>` | hash | 20 min |",
      "| `cart:<user>` | JSON string | - |",
      "| `online` | set | |",
      "| `board:<week>` | set (zset) | |",
      "| `feed:<user>`, `board:<week>` | list | |",
    ]
    expect(said([...head, ...rows].join("\n"))).toEqual(["session hash", "cart string", "online set"])
  })

  it("has a row for it", () => {
    expect(said(["| KEY_STRUCTURE | feed:{user} |", "|---|---|", "| Data type | List |"].join("\n"))).toEqual([
      "feed list",
    ])
  })

  it("says nothing where its column is about something else", () => {
    expect(said(["| Key | Kind of user |", "|---|---|", "| `cart:<user>` | list |"].join("\n"))).toEqual([])
  })
})
