import { describe, expect, it } from "vitest"
import { catalog } from "../catalog.ts"
import { readOptions } from "./options.ts"

const read = (...args: string[]) => readOptions(args, catalog)

describe("the command line", () => {
  it("has a default for everything but the systems", async () => {
    const plan = await read("shop")
    expect(plan).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      redis: undefined,
      database: undefined,
      demo: false,
      force: false,
    })
    expect(plan.settings["shop"]).toEqual({
      db: undefined,
      shards: 0,
      drainEvery: 1,
      drainReplicas: 0,
      openLogin: false,
      sessionLimit: 10_000_000,
      cleanBatch: 100,
      viewedPerSession: 25,
      popularKept: 20_000,
      cartItems: 1000,
      cacheableRank: 10_000,
      pageTtl: 300,
      pageVariants: 25,
      limits: true,
      failuresPerAccount: 20,
      failuresPerAddress: 100,
      rescaleEvery: 300,
      jobs: true,
    })
  })

  it("takes options in both spellings, in any order, settings as often as they come", async () => {
    const plan = await read(
      "--port=0",
      "shop",
      "--set",
      "shop.pageTtl=5",
      "--set=shop.jobs=false",
      "--clock",
      "2026-03-01T12:00:00Z",
      "--force",
    )
    expect(plan).toMatchObject({ port: 0, force: true, clock: new Date("2026-03-01T12:00:00Z") })
    expect(plan.settings["shop"]).toMatchObject({ pageTtl: 5, jobs: false })
  })

  it("takes an instant without a zone as UTC", async () => {
    expect((await read("shop", "--clock", "2026-03-01T12:00")).clock).toEqual(new Date("2026-03-01T12:00:00Z"))
    expect((await read("shop", "--clock", "2026-03-01")).clock).toEqual(new Date("2026-03-01T00:00:00Z"))
    expect((await read("shop", "--clock", "2026-03-01T12:00:00+07:00")).clock).toEqual(new Date("2026-03-01T05:00:00Z"))
  })

  const refused: readonly (readonly [args: string[], says: RegExp])[] = [
    [[], /which system\?[^]*systems: .*shop/],
    [["shop", "--prot", "1"], /no option "--prot"[^]*--port/],
    [["shop", "--port", "x"], /--port takes a number/],
    [["shop", "--port", "65536"], /--port takes a number/],
    [["shop", "--workers", "0"], /--workers takes a number from 1 to 128/],
    [["shop", "--workers", "x"], /--workers takes a number/],
    [["shop", "--port"], /--port needs a value/],
    [["shop", "--redis="], /--redis needs a value/],
    [["shop", "--port", "1", "--port", "2"], /--port is given twice/],
    [["shop", "--demo=1"], /--demo takes no value/],
    [["shop,shop"], /shop is named twice/],
    [["toString"], /no system "toString"/],
    [["shop", "--set", "pageTtl=1"], /no setting "pageTtl"/],
    [["shop", "--set", "shop.pageTtl"], /needs a value/],
    [["shop", "--set", "shop.pageTtl=long"], /the setting shop\.pageTtl takes a whole number/],
    [["shop", "--set", "shop.pageTtl=0"], /from 1|1 to/],
    [["shop", "--set", "shop.pageTtl=1.5"], /whole number/],
    [["shop", "--set", "shop.jobs=1"], /takes true or false/],
    [["shop", "--set", "shop.limits=no"], /takes on or off/],
    [["shop", "--allow-host", "http://a"], /--allow-host takes a name/],
    [["shop", "--behind-proxy=1"], /takes no value/],
    [["shop", "--set", "shop.toString=1"], /no setting/],
    [["shop", "--clock", "yesterday"], /--clock takes an instant/],
    [["shop", "--clock", "2026-13-01"], /--clock takes an instant/],
    [["shop", "--clock", "2026-02-30T12:00:00Z"], /--clock takes an instant/],
  ]
  it.each(refused)("refuses %j", async (args, says) => {
    await expect(read(...args)).rejects.toThrow(says)
  })
})
