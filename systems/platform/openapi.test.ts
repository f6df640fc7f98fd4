/* The document against the running routes: it lists exactly the routes that exist. */

import { expect, it } from "vitest"
import { known, catalog } from "../catalog.ts"
import { ADMIN, send, serveForTest } from "./testing/serve-for-test.ts"
import { onAnyServer } from "./testing/servers.ts"

interface Operation {
  readonly summary: string
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, unknown>>
}

/** What a reference such as `#/components/schemas/Failure` points to. */
const atPointer = (document: unknown, reference: string): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], document)

onAnyServer("the OpenAPI document", (server) => {
  it.each(Object.keys(catalog))("of %s lists every route with what it answers", async (name) => {
    const served = await serveForTest(server(), name)
    try {
      const document = (await send(served.url, "GET /openapi.json")).body as {
        openapi: string
        paths: Record<string, Record<string, Operation>>
      }
      expect(document.openapi).toBe("3.1.0")
      for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
        expect([reference, atPointer(document, reference!)]).toEqual([reference, expect.anything()])
      for (const [path, operations] of Object.entries(document.paths)) {
        const url = path.replaceAll(/\{\w+\}/g, "zzz")
        for (const [method, operation] of Object.entries(operations)) {
          const { status, body } = await send(served.url, `${method.toUpperCase()} ${url}`, {
            body: method === "get" ? undefined : "{",
          })
          expect([path, method, (body as { error?: string }).error]).not.toContain("no_such_route")
          expect([path, method, Object.keys(operation.responses)]).toEqual([
            path,
            method,
            expect.arrayContaining([String(status)]),
          ])
          const isOpen = operation.security?.some((way) => Object.keys(way).length === 0) ?? true
          if (!isOpen) expect([path, method, status]).toEqual([path, method, 401])
          expect(operation.summary).toMatch(/\.$/)
        }
        // A fixed path may also be one of a template: DELETE /api/orders/mine is that of /api/orders/{id}.
        const alike = Object.entries(document.paths).filter(([other]) =>
          new RegExp(`^${other.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(url),
        )
        const unlisted = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
          (method) => !alike.some(([, listed]) => method.toLowerCase() in listed),
        )
        for (const method of unlisted)
          expect((await send(served.url, `${method} ${url}`, { token: ADMIN })).status).toBe(405)
      }
    } finally {
      await served.close()
    }
  })

  it("is known for every system", () => {
    expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(catalog)))
  })
})
