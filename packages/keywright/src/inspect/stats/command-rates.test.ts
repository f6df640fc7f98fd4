import { expect, it } from "vitest"
import type { Driver } from "../../driver/driver.ts"
import { commandCounts } from "./command-rates.ts"

const saying = (info: string): Driver => {
  const node = { send: async () => info }
  return { primaries: async () => [node] } as unknown as Driver
}

it("counts the calls of a command, those of its subcommands together, and none of its own", async () => {
  const info =
    "# Commandstats\r\ncmdstat_get:calls=3,usec=1\r\ncmdstat_config|get:calls=1,usec=1\r\ncmdstat_config|set:calls=2\r\ncmdstat_info:calls=9\r\n"
  expect([...(await commandCounts(saying(info)))]).toEqual([
    ["get", 3],
    ["config", 3],
  ])
})

it("looks once at a line that was made to keep it busy", async () => {
  expect((await commandCounts(saying(`cmdstat_${"a".repeat(1_000_000)}`))).size).toBe(0)
  expect((await commandCounts(saying("cmdstat_a\r".repeat(200_000)))).size).toBe(0)
})
