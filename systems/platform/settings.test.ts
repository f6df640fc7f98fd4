import { describe, expect, it } from "vitest"
import { databaseNumber, databaseNumbers, flag, readSettings, secretWords, timeZone, whole, words } from "./settings.ts"

const declared = {
  a: {
    db: databaseNumber(),
    dbs: databaseNumbers([0, 1, 2], "Three."),
    zone: timeZone("UTC", "Where days begin."),
    "pay.secret": secretWords("Signs payments."),
    url: words("http://localhost", "Where people are sent."),
    on: flag(true, "Whether."),
    few: whole(3, "Few.", { max: 9 }),
  },
}
const read = (...given: string[]) => readSettings(declared, given)["a"]

describe("settings", () => {
  it("are read from their texts, by full name", () => {
    expect(
      read("a.db=7", "a.dbs=5,4,3", "a.zone=Asia/Ho_Chi_Minh", "a.pay.secret=x=y", "a.few=9", "a.on=false"),
    ).toEqual({
      db: 7,
      dbs: [5, 4, 3],
      zone: "Asia/Ho_Chi_Minh",
      "pay.secret": "x=y",
      url: "http://localhost",
      on: false,
      few: 9,
    })
  })

  it.each([
    "a.db=-1",
    "a.db=x",
    "a.dbs=1,2",
    "a.dbs=1,1,2",
    "a.zone=Mars/Base",
    "a.few=10",
    "a.few=",
    "a.url=",
    "a.on=yes",
  ])("refuse %s", (given) => {
    expect(() => read(given)).toThrow(/takes/)
  })

  it("list what there is when a name is not known, and no secrets", () => {
    expect(() => read("a.nothing=1")).toThrow(/a\.few \(3\) {2}Few\.\n?/)
    expect(() => read("b.db=1")).toThrow(/no setting "b\.db"/)
  })
})
