import { describe, expect, it } from "vitest"
import { readStartOptions } from "./start-options.ts"

const known = ["shop", "messaging", "carto"]
const read = (...args: string[]) => readStartOptions(args, known)

describe("the command line of npm start", () => {
  it("serves all systems unless some are named, in their usual order", () => {
    expect(read().names).toEqual(known)
    expect(read("--only", "carto,shop").names).toEqual(["shop", "carto"])
    expect(read("--only", "carto", "--only", "shop").names).toEqual(["shop", "carto"])
  })

  it("has ports, a server and a seed", () => {
    expect(read()).toMatchObject({ port: 8080, studioPort: 8081, redis: undefined, seed: 7 })
    expect(read("--port", "0", "--redis", "redis://h:1", "--seed=9")).toMatchObject({
      port: 0,
      redis: "redis://h:1",
      seed: 9,
    })
  })

  it.each([
    [["--only", "shops"], 'no system "shops"'],
    [["--only", ""], 'no system ""'],
    [["--port", "99999"], "--port takes a number"],
    [["--port", "http"], "--port takes a number"],
    [["--prot", "1"], "--prot"],
    [["--redis", ""], "--redis takes an address"],
    [["--redis", "localhost:6379"], "--redis takes an address"],
  ])("refuses %j, and says what it takes", (args, message) => {
    expect(() => read(...args)).toThrow(message)
    expect(() => read(...args)).toThrow("usage: npm start")
  })
})
