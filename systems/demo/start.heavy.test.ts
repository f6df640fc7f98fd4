/* `npm start` as a process: what it says, that the studio is there, and how it ends. */

import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const program = fileURLToPath(new URL("../dist/demo/main.js", import.meta.url))

const names = ["shop", "messaging", "carto", "recommender", "restaurant"]

function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  let [said, shown] = ["", ""]
  child.stdout.on("data", (text: Buffer) => (said += text.toString()))
  child.stderr.on("data", (text: Buffer) => (shown += text.toString()))
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  return { child, ended, said: () => said, shown: () => shown }
}

/** What of standard output matches, as soon as it is there. */
const shows = (run: ReturnType<typeof start>, what: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = () => {
      const found = what.exec(run.said())?.[1]
      if (found !== undefined) resolve(found)
    }
    run.child.stdout.on("data", look)
    void run.ended.then((status) => reject(new Error(`it ended with ${status}:\n${run.shown()}`)))
  })

it("serves five systems with people in them, and the studio beside", async () => {
  const run = start("--port", "0", "--studio-port", "0")
  await shows(run, /^(restaurant) \S+\n/m)
  const lines = Object.fromEntries(
    run
      .said()
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  )
  const { ready: url, studio: link, ...systemUrls } = lines as Record<"ready" | "studio" | string, string>
  expect(systemUrls).toEqual(Object.fromEntries(names.map((name) => [name, `${url}/${name}`])))
  expect((await fetch(`${url}/health`)).status).toBe(200)

  const { origin, searchParams } = new URL(link!)
  const entered = await fetch(`${origin}/api/enter`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ token: searchParams.get("token") }),
  })
  const { session: bearer } = (await entered.json()) as { session: string }
  const session = await fetch(`${origin}/api/session`, { headers: { authorization: `Bearer ${bearer}` } })
  const { systems } = (await session.json()) as { systems: { name: string }[] }
  expect(systems.map(({ name }) => name)).toEqual(names)

  expect(run.shown()).not.toContain('"level"')
  run.child.kill("SIGINT")
  expect(await run.ended).toBe(0)
}, 60_000)

it("says what it takes", async () => {
  const run = start("--prot", "1")
  expect(await run.ended).toBe(2)
  expect(run.shown()).toContain("usage: npm start")
})
