/* `keywright studio` as its users have it. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Engine, start } from "@keywright/embedded"
import { freshBundle, runCli } from "./run-cli.cases.ts"

let engine: Engine

beforeAll(async () => {
  await freshBundle()
  engine = await start({ port: 0 })
})
afterAll(() => engine?.stop())

const url = () => engine.url as string

describe("keywright studio", { timeout: 120_000 }, () => {
  it("prints one line with the link, and ends with Ctrl-C", async () => {
    const args = ["studio", "--config", "systems/shop", "--config", "systems/carto", "--url", url()]
    const { code, stdout, stderr } = await runCli(args, { interruptAt: "studio http" })
    expect(stdout).toMatch(/^studio http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}\n$/)
    expect(stderr).toContain("read-only")
    expect(code).toBe(0)
  })

  it("says with --json where it is", async () => {
    const { stdout } = await runCli(["studio", "--config", "systems/shop", "--url", url(), "--write", "--json"], {
      interruptAt: "token=",
    })
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: 1, studio: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) })
  })

  it("does not start on a server that is not there, and never quotes a password", async () => {
    const dead = "redis://:hush-hush@127.0.0.1:1"
    const { code, stdout, stderr } = await runCli(["studio", "--config", "systems/shop", "--url", dead])
    expect([code, stdout]).toEqual([3, ""])
    expect(stderr).not.toContain("hush-hush")
  })

  it("refuses what is not a port", async () => {
    const args = ["studio", "--config", "systems/shop", "--url", url(), "--port", "70000"]
    expect((await runCli(args)).code).toBe(2)
  })
})
