/* The document against the running routes: it lists exactly the routes that exist. */

import { expect, it } from "vitest"
import { known, catalog } from "../catalog.ts"
import { ADMIN, send, serveForTest } from "./testing/serve.ts"
import { onAnyServer } from "./testing/servers.ts"

interface Operation {
  readonly summary: string
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, unknown>>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> }
}

/** What a reference such as `#/components/schemas/Failure` points to. */
const atPointer = (document: unknown, reference: string): unknown =>
  reference
    .split("/")
    .slice(1)
    .reduce((part, name) => (part as Record<string, unknown> | undefined)?.[name], document)

/** Where a schema takes fields that it does not name. */
function openPlaces(schema: unknown, at: string): string[] {
  if (typeof schema !== "object" || schema === null) return []
  const { type, additionalProperties } = schema as { type?: unknown; additionalProperties?: unknown }
  const inside = Object.entries(schema).flatMap(([name, part]) => openPlaces(part, `${at}/${name}`))
  return type === "object" && additionalProperties !== false ? [at, ...inside] : inside
}

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

  it("ALL-12: names every field that a body may have; only the shop's rows are what their source says", async () => {
    const served = await serveForTest(server(), Object.keys(catalog).join())
    try {
      const { paths } = (await send(served.url, "GET /openapi.json")).body as {
        paths: Record<string, Record<string, Operation>>
      }
      const found: string[] = []
      for (const [path, operations] of Object.entries(paths)) {
        for (const [method, { requestBody }] of Object.entries(operations)) {
          const schema = requestBody?.content["application/json"]?.schema
          if (schema === undefined) continue
          const request = `${method.toUpperCase()} ${path}`
          found.push(...openPlaces(schema, request).slice(0, 1))
          const body = { unknownField: 1 }
          const sent = await send(served.url, request.replaceAll(/\{\w+\}/g, "1"), { token: ADMIN, body })
          if (!found.includes(request)) expect([request, sent.status < 400]).toEqual([request, false])
        }
      }
      expect(found).toEqual(["PUT /shop/source/rows/{id}"])
    } finally {
      await served.close()
    }
  })

  it("is known for every system", () => {
    expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(catalog)))
  })
})
