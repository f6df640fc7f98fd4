/* The pages beside the routes: who is answered with one, what the rest hears as before, and
 * who may see what a request did to Redis. The files are made up: what is in them is for the
 * tests of the pages themselves. */

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { start, type Engine } from "@keywright/embedded"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { catalog, known } from "../../catalog.ts"
import { openLog } from "../log.ts"
import { readOptions } from "../options.ts"
import { startServer, type Server } from "../server.ts"
import { wantsHtml } from "./page-html.ts"

const ADMIN = "admin-token-of-the-tests"
const HTML = "text/html,application/xhtml+xml,*/*;q=0.8"
const parts = (name: string) => ({ scripts: [`${name}-1.js`], styles: [`${name}-1.css`] })
const names = ["front", "shop", "recommender", "docs"]

let folder: string
let engine: Engine
const servers: Server[] = []
const serve = async (systems: string, ...args: string[]): Promise<string> => {
  const jobs = systems.split(",").flatMap((name) => ["--set", `${name}.jobs=false`])
  const plan = await readOptions([systems, "--port", "0", ...jobs, ...args], catalog)
  const server = await startServer({ ...plan, known, engine, log: openLog(() => undefined), pagesFolder: folder })
  servers.push(server)
  return server.url
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keywright-pages-"))
  const files = names.flatMap((name) => [`${name}-1.js`, `${name}-1.css`])
  const pages = Object.fromEntries(names.map((name) => [name, parts(name)]))
  for (const name of files) await writeFile(join(folder, name), `/* ${name} */`)
  await writeFile(join(folder, "secret.txt"), "not listed")
  await writeFile(join(folder, "pages.json"), JSON.stringify({ pages, files }))
  engine = await start()
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await engine?.stop()
  await rm(folder, { recursive: true, force: true })
})

const get = (url: string, accept?: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { ...(accept !== undefined && { accept }), ...(init.headers as object) } })

describe("ALL-12: a page", () => {
  let url: string
  beforeAll(async () => (url = await serve("shop,recommender", "--set", "shop.openLogin=true")))

  it("is answered to GET and HEAD whose Accept names text/html, and to nothing else", async () => {
    for (const path of ["/", "/shop", "/shop/", "/recommender", "/docs"]) {
      const page = await get(url + path, HTML)
      expect([path, page.status, page.headers.get("content-type")]).toEqual([path, 200, "text/html; charset=UTF-8"])
      expect((await get(url + path, HTML, { method: "HEAD" })).status).toBe(200)
      for (const accept of ["*/*", "application/json", "text/html;q=0", "text/*"])
        expect([path, accept, (await get(url + path, accept)).status]).toEqual([path, accept, 404])
      for (const method of ["POST", "PUT", "DELETE"])
        expect([path, method, (await get(url + path, HTML, { method })).status]).toEqual([path, method, 404])
    }
  })

  it("leaves routes, unknown paths and wrong methods as they were", async () => {
    expect((await get(`${url}/shop/popular`, HTML)).headers.get("content-type")).toBe("application/json")
    const nothing = await get(`${url}/shop/nothing`, HTML)
    expect([nothing.status, await nothing.json()]).toEqual([
      404,
      { error: "no_such_route", message: "there is nothing at this path" },
    ])
    expect((await get(`${url}/shop/popular`, HTML, { method: "DELETE" })).status).toBe(405)
  })

  it("has nothing inline, and a policy that allows its own files alone", async () => {
    const page = await get(`${url}/shop`, HTML)
    const html = await page.text()
    expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/i)
    expect(html).toContain('data-base="/shop"')
    const policy = page.headers.get("content-security-policy")!
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toContain("unsafe")
    const explorer = (await get(`${url}/docs`, HTML)).headers.get("content-security-policy")!
    expect(explorer).toContain("script-src 'self';")
    expect([page.headers.get("x-frame-options"), page.headers.get("vary")]).toEqual(["DENY", "Accept"])
  })

  it("has files that may be kept, and no others", async () => {
    const file = await get(`${url}/-/assets/shop-1.js`)
    expect([file.status, file.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"])
    expect(await file.text()).toBe("/* shop-1.js */")
    for (const name of ["secret.txt", "pages.json", "..%2Fpages.json", "%2e%2e/x", "shop-2.js"])
      expect((await get(`${url}/-/assets/${name}`)).status).toBe(404)
  })

  it("of a system that is served alone is at /", async () => {
    const alone = await serve("shop", "--set", "shop.db=5")
    const html = await (await get(`${alone}/`, HTML)).text()
    expect(html).toContain('data-base="" data-system="shop"')
    expect((await get(`${alone}/shop`, HTML)).status).toBe(404)
  })
})

describe("what the pages of a demonstration ask for", () => {
  it("says that there is a studio, and makes no link to it: links are few, and each takes the place of an older one", async () => {
    let links = 0
    const studio = (view: string) => `http://127.0.0.1:1/?token=${++links}#${view}`
    const plan = await readOptions(["shop", "--port", "0", "--demo", "--set", "shop.jobs=false"], catalog)
    const log = openLog(() => undefined)
    const demoPages = { access: () => ({}), hasStudio: () => true, studio }
    const server = await startServer({ ...plan, known, engine, log, pagesFolder: folder, demoPages })
    servers.push(server)
    for (let i = 0; i < 3; i++)
      expect(await (await get(`${server.url}/-/about`)).json()).toMatchObject({ studio: true })
    expect(links).toBe(0)
    const on = await get(`${server.url}/-/studio?to=/overview`, undefined, { redirect: "manual" })
    expect([on.status, links]).toEqual([302, 1])
  })
})

describe("what a request did to Redis", () => {
  const ID = "a-request-of-the-test"
  const login = (url: string, headers: Record<string, string>) =>
    fetch(`${url}/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-request-id": ID, ...headers },
      body: JSON.stringify({ user: "ada" }),
    })
  const told = (url: string, headers: Record<string, string>) => fetch(`${url}/-/commands/${ID}`, { headers })
  const open = (db: number, ...args: string[]) =>
    serve("shop", "--set", `shop.db=${db}`, "--set", "shop.openLogin=true", ...args)

  it("is shown in a demonstration, with its sentences and without its secrets", async () => {
    const url = await open(6, "--demo")
    const { token } = (await (await login(url, { "x-show-commands": "1" })).json()) as { token: string }
    const answer = await told(url, { "x-show-commands": "1" })
    const text = await answer.text()
    expect(text).not.toContain(token)
    expect(JSON.parse(text)).toMatchObject({
      system: "shop",
      route: "POST /login",
      status: 201,
      asked: { id: "SHOP-2" },
      sent: [
        {
          as: "script",
          script: { name: "begin", args: { session: "…", user: "ada" } },
          step: { doc: "Begins a session." },
        },
      ],
      keys: { "session.login": { pattern: "login:", type: "hash", ttl: "no TTL", asked: { id: "SHOP-K1" } } },
    })
  })

  it("is shown to the administrator elsewhere, and to nobody else", async () => {
    const url = await open(7, "--admin-token", ADMIN)
    await login(url, { "x-show-commands": "1" })
    expect((await told(url, { "x-show-commands": ADMIN })).status).toBe(404)
    await login(url, { "x-show-commands": ADMIN })
    for (const headers of [{}, { "x-show-commands": "1" }, { authorization: `Bearer ${ADMIN}` }])
      expect((await told(url, headers as Record<string, string>)).status).toBe(404)
    expect((await told(url, { "x-show-commands": ADMIN })).status).toBe(200)
  })

  it("is the caller's own, also while others call, and is found by nobody who does not know its id", async () => {
    const url = await open(12, "--demo")
    const tokens = await Promise.all(
      ["ada", "ben", "cleo"].map(async (user) => {
        const answer = await fetch(`${url}/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ user }),
        })
        return ((await answer.json()) as { token: string }).token
      }),
    )
    const idOf = (i: number, n: number) => `request-${n}-of-person-${i}`
    // The last one asks for no record; their commands are nobody's to see.
    const put = (i: number, n: number) =>
      fetch(`${url}/cart/items/item-of-${i}`, {
        method: "PUT",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${tokens[i]}`,
          "x-request-id": idOf(i, n),
          ...(i < 2 && { "x-show-commands": "1" }),
        },
        body: JSON.stringify({ quantity: n + 1 }),
      })
    const rounds = [0, 1, 2, 3, 4, 5, 6, 7]
    await Promise.all(rounds.flatMap((n) => [0, 1, 2].map((i) => put(i, n))))
    const text = async (id: string) =>
      (await fetch(`${url}/-/commands/${id}`, { headers: { "x-show-commands": "1" } })).text()
    for (const n of rounds) {
      for (const i of [0, 1]) {
        const found = await text(idOf(i, n))
        expect(found).toContain(`item-of-${i}`)
        expect(found).not.toMatch(new RegExp(`item-of-[^${i}]`))
        for (const token of tokens) expect(found).not.toContain(token)
      }
      expect(await text(idOf(2, n))).toContain("no_such_route")
    }
    for (const guess of ["", "%2A", "*", "request-", "__proto__", "constructor"])
      expect((await fetch(`${url}/-/commands/${guess}`, { headers: { "x-show-commands": "1" } })).status).toBe(404)
  })

  it("is promised to those who may look, and to nobody else", async () => {
    const url = await open(15, "--admin-token", ADMIN)
    const mayLook = async (headers: Record<string, string>) =>
      ((await (await fetch(`${url}/-/about`, { headers })).json()) as { mayLook: boolean }).mayLook
    expect(await mayLook({})).toBe(false)
    expect(await mayLook({ "x-show-commands": "1" })).toBe(false)
    expect(await mayLook({ "x-show-commands": ADMIN })).toBe(true)
  })

  it("is not recorded where there is neither, nor for other sites' pages", async () => {
    const url = await open(8)
    await login(url, { "x-show-commands": "1" })
    expect((await told(url, { "x-show-commands": "1" })).status).toBe(404)
    const demo = await open(9, "--demo")
    await login(demo, { "x-show-commands": "1" })
    for (const site of ["cross-site", "same-site"]) {
      expect((await told(demo, { "x-show-commands": "1", "sec-fetch-site": site })).status).toBe(403)
      expect((await fetch(`${demo}/-/about`, { headers: { "sec-fetch-site": site } })).status).toBe(403)
    }
    expect(await (await fetch(`${demo}/-/about`)).json()).toEqual({
      systems: [{ name: "shop", doc: expect.any(String), prefix: "" }],
      demo: true,
      mayLook: false,
    })
    expect((await fetch(`${demo}/-/studio?to=/overview`)).status).toBe(404)
  })
})

it.each([
  ["text/html", true],
  ["application/json, TEXT/HTML;level=1", true],
  ["text/html;q=0.1", true],
  ["text/html;q=0", false],
  ["text/html; q=0.000", false],
  ["*/*", false],
  ["text/*", false],
  ["text/htmlx", false],
  [undefined, false],
])("Accept: %s wants a page: %s", (accept, wants) => expect(wantsHtml(accept)).toBe(wants))
