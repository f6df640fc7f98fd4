/* Whose the session is: the tab's that opened the link, and nobody else's on this machine. */

import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { type Engine, start } from "@keywright/embedded"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../test/needs.ts"
import { type OpenPage, usePages } from "./page.cases.ts"
import { fillRestaurant, restaurant } from "./server/studio-data.cases.ts"

describe.runIf(needs("chromium"))("the session", () => {
  const openPage = usePages({ isFresh: true })
  let engine: Engine
  const open = async (): Promise<OpenPage & { readonly session: string; readonly origin: string }> => {
    const opened = await openPage({ systems: [{ keyspace: restaurant, server: { engine } }] })
    await shown(opened.page)
    const session = String(await opened.page.evaluate('sessionStorage.getItem("keywright-session")'))
    expect(session).toMatch(/^[\w-]{43}$/)
    return { ...opened, session, origin: new URL(opened.studio.url).origin }
  }
  beforeAll(async () => {
    engine = await start()
    await fillRestaurant({ engine })
  })
  afterAll(() => engine?.stop())

  test("is never sent to a server on another port of this machine", async () => {
    const { page, studio, session, origin } = await open()
    const token = new URL(studio.url).searchParams.get("token")!
    const spy = await listenOn()
    try {
      const tab = await page.context().newPage()
      await tab.goto(`${spy.origin}/`)
      const tried = await tab.evaluate(`Promise.all([
        fetch("${origin}/api/session", { credentials: "include" }).then((a) => a.text(), String),
        fetch("${origin}/api/enter", { method: "POST", body: '{"token":"x"}' }).then((a) => a.text(), String),
        fetch("${origin}/", { credentials: "include" }).then((a) => a.text(), String),
      ])`)
      for (const text of tried as string[]) expect(text).toContain("Failed to fetch")
      // The same tab, with the session in it, goes there and comes back.
      page.removeAllListeners("request")
      await page.goto(`${spy.origin}/from-the-studio`)
      await page.evaluate("fetch('/again')")
      await page.goto(`${origin}/`)
      await shown(page)
      expect(spy.asked.length).toBeGreaterThan(2)
      const seen = JSON.stringify(spy.asked.map(({ url, headers }) => [url, headers]))
      for (const secret of [session, token]) expect(seen).not.toContain(secret)
      expect(spy.asked.map(({ headers }) => headers.cookie)).toEqual(spy.asked.map(() => undefined))
      expect(spy.asked.map(({ headers }) => headers.referer ?? "").join(" ")).not.toContain(origin)
      expect(await page.context().cookies()).toEqual([])
    } finally {
      await spy.close()
    }
  })

  test("is in no address, no history and no referrer, and outlives a reload", async () => {
    const { page, studio, session, go, origin } = await open()
    const asked: string[] = []
    page.on("request", (request) => asked.push(request.url(), request.headers()["referer"] ?? ""))
    expect(page.url()).toBe(`${origin}/`)
    await go("#/browse/restaurant/dish")
    await page.locator(".keys-table .key-cell a").first().click()
    await page.locator(".relations").waitFor()
    await page.reload()
    await page.locator(".relations").waitFor()
    await page.goBack()
    await page.goBack()
    await shown(page)
    expect(page.url()).not.toContain("token")
    expect(await page.evaluate("localStorage.length")).toBe(0)
    for (const secret of [session, new URL(studio.url).searchParams.get("token")!])
      expect(asked.join(" ")).not.toContain(secret)
  })

  test("opens the link again in its own tab, and a used link nowhere else", async () => {
    const { page, studio } = await open()
    await page.goto(studio.url)
    await shown(page)
    const other = await page.context().newPage()
    await other.goto(studio.url)
    await other.getByText("STUDIO.TOKEN").waitFor()
    expect(other.url()).not.toContain("token")
  })

  test("goes with a link that the page opens in a new tab", async () => {
    const { page } = await open()
    page.removeAllListeners("popup")
    for (const how of [{ modifiers: ["Control" as const] }, { button: "middle" as const }]) {
      const [tab] = await Promise.all([
        page.context().waitForEvent("page"),
        page.getByRole("link", { name: "Browse" }).first().click(how),
      ])
      await tab.getByRole("treeitem", { name: /^dish/ }).first().waitFor()
      expect(tab.url()).toContain("#/browse")
      await tab.close()
    }
    expect(page.url()).not.toContain("#/browse")
  })

  test("is missing from a bookmark's tab, which says how to get in", async () => {
    const { page, origin } = await open()
    const other = await page.context().newPage()
    await other.goto(`${origin}/#/browse/restaurant/dish`)
    await other.getByText("Open the link that the studio printed").waitFor()
    await other.getByText("STUDIO.NO_SESSION").waitFor()
    await other.getByText("start the studio again and open the link that it prints").waitFor()
    expect(await other.content()).not.toContain("dish:{id}")
  })

  test("ends with the studio: another one at the same address gets nothing from it", async () => {
    const { page, studio } = await open()
    // What was under way when it ended fails in the console.
    page.removeAllListeners("console")
    await studio.close()
    const next = await openPage({ systems: [{ keyspace: restaurant, server: { engine } }], port: studio.port })
    await shown(next.page)
    await page.reload()
    await page.getByText("STUDIO.NO_SESSION").waitFor()
  })
})

const shown = (page: OpenPage["page"]) => page.getByText("that no pattern owns").first().waitFor()

/** A server that keeps what it is asked. */
async function listenOn() {
  const asked: IncomingMessage[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming)
    outgoing.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Another</title>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    asked,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
