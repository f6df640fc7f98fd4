/* `npm start` as a process: what it says, that the studio is there, and how it ends. */

import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { start as startEngine } from "@keywright/embedded"
import { expect, it } from "vitest"
import { RespClient } from "../../test/resp-client.ts"

const program = fileURLToPath(new URL("../dist/demo/main.js", import.meta.url))

const root = fileURLToPath(new URL("../..", import.meta.url))
const piped: { stdio: ["ignore", "pipe", "pipe"] } = { stdio: ["ignore", "pipe", "pipe"] }

const names = ["shop", "messaging", "carto", "recommender", "restaurant"]

const start = (...args: string[]) => watch(spawn(process.execPath, [program, ...args], piped))
/** As people do. */
const npmStart = (...args: string[]) =>
  watch(spawn("npm", ["start", "--silent", "--", ...args], { ...piped, cwd: root }))

function watch(child: ChildProcessByStdio<null, Readable, Readable>) {
  let [said, shown] = ["", ""]
  child.stdout.on("data", (text: Buffer) => (said += text.toString()))
  child.stderr.on("data", (text: Buffer) => (shown += text.toString()))
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  return { child, ended, said: () => said, shown: () => shown }
}

/** What of standard output matches, as soon as it is there. */
const shows = (run: ReturnType<typeof watch>, what: RegExp): Promise<string> =>
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
  const { ready: url, studio: link, docs, ...systemUrls } = lines as Record<string, string>
  expect(docs).toBe(`${url}/docs`)
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

it("serves one system at /, on the next port when the wanted one is taken, leads to the studio, and ends with npm", async () => {
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  const { port } = taken.address() as AddressInfo
  const run = npmStart("--only", "recommender", "--port", String(port), "--studio-port", "0")
  const url = (await shows(run, /^recommender (\S+)\n/m)).replace(/\/$/, "")
  expect(run.shown()).toContain(`port ${port} is taken: using ${new URL(url).port}`)
  const page = await fetch(`${url}/`, { headers: { accept: "text/html" } })
  expect(await page.text()).toContain('data-base="" data-system="recommender"')
  const away = await fetch(`${url}/-/studio?to=${encodeURIComponent("/browse/recommender/settings")}`, {
    redirect: "manual",
  })
  expect(away.headers.get("location")).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+#\/browse\/recommender\/settings$/,
  )
  run.child.kill("SIGTERM")
  await run.ended
  // Nobody is left behind who listens there.
  await expect
    .poll(() =>
      fetch(`${url}/health`).then(
        ({ status }) => status,
        () => "gone",
      ),
    )
    .toBe("gone")
  taken.close()
}, 60_000)

it("does not fill a server that somebody uses", async () => {
  const engine = await startEngine({ port: 0 })
  const client = await RespClient.connect(engine.port!)
  await client.send("SELECT", 13)
  await client.send("SET", "mine", "1")
  const run = start("--only", "recommender", "--redis", `redis://127.0.0.1:${engine.port}`, "--port", "0")
  expect(await run.ended).toBe(2)
  expect(run.shown()).toContain("database 13 has 1 keys")
  client.close()
  await engine.stop()
}, 60_000)

it("says when the given server does not answer", async () => {
  const nobody = createServer().listen(0, "127.0.0.1")
  await once(nobody, "listening")
  const { port } = nobody.address() as AddressInfo
  await new Promise((resolve) => nobody.close(resolve))
  const run = start("--only", "recommender", "--redis", `redis://127.0.0.1:${port}`, "--port", "0")
  expect(await run.ended).toBe(1)
  expect(run.shown()).toContain("the server given with --redis cannot be used")
})

it("says what it takes", async () => {
  const run = start("--prot", "1")
  expect(await run.ended).toBe(2)
  expect(run.shown()).toContain("usage: npm start")
})
