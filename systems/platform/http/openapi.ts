/* The OpenAPI document, made from the routes, so that it says exactly what is served.
 * Version 3.1, whose schemas are JSON Schema as zod writes it. */

import * as z from "zod"
import type { Auth } from "./auth.ts"
import type { Route } from "./route.ts"

export interface Documented {
  readonly name: string
  readonly doc: string
  /** `""`, or `"/shop"` where several systems are served. */
  readonly prefix: string
  readonly routes: readonly Route[]
}

const Failure = {
  type: "object",
  properties: { error: { type: "string" }, message: { type: "string" }, details: {} },
  required: ["error", "message"],
}

/** What the platform itself answers. */
const OWN: Readonly<Record<string, readonly [summary: string, type: string, ...statuses: number[]]>> = {
  "/health": ["Whether everything works.", "application/json", 200, 503],
  "/metrics": ["Metrics for Prometheus, by key pattern.", "text/plain", 200],
  "/openapi.json": ["This document.", "application/json", 200],
}

export function openApi(systems: readonly Documented[]): object {
  const paths: Record<string, Record<string, object>> = {}
  const schemes: Record<string, object> = {}
  const schemas: Schemas = { Failure }
  for (const { name, prefix, routes } of systems) {
    for (const route of routes) {
      const path = (paths[prefix + route.path] ??= {})
      path[route.method.toLowerCase()] = operation(name, route, prefix, schemas)
      for (const auth of schemesOf(route)) schemes[schemeName(prefix, auth)] = auth.scheme
    }
  }
  for (const [path, [summary, type, ...statuses]] of Object.entries(OWN)) {
    const responses = Object.fromEntries(
      statuses.map((status) => [status, { description: `${status}`, content: { [type]: {} } }]),
    )
    paths[path] = { get: { tags: ["platform"], summary, responses } }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: systems.map(({ name }) => name).join(", "),
      version: "1",
      description: systems.map(({ doc }) => doc).join("\n\n"),
    },
    tags: systems.map(({ name, doc }) => ({ name, description: doc })),
    paths,
    components: { securitySchemes: schemes, schemas },
  }
}

type Scheme = Pick<Auth<unknown>, "name" | "scheme">

const schemesOf = ({ auth }: Route): readonly Scheme[] => (auth ? [auth, ...(auth.or ?? [])] : [])

/** The admin of all systems is the same; other callers are each system's own. */
const schemeName = (prefix: string, { name }: Scheme): string =>
  prefix === "" || name === "admin" ? name : `${prefix.slice(1)}-${name}`

function operation(system: string, route: Route, prefix: string, schemas: Schemas): object {
  const { answer, status = answer === undefined ? 204 : 200, auth, body } = route
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!)
  const query = (route.query === "any" ? route.named : route.query) ?? {}
  return {
    tags: [system],
    summary: route.summary,
    operationId: `${system}.${route.method.toLowerCase()}${route.path.replaceAll(/[/{}.-]+(\w)?/g, (_, letter: string | undefined) => (letter ?? "").toUpperCase())}`,
    ...(auth && {
      security: [
        ...(auth.optional ? [{}] : []),
        ...schemesOf(route).map((scheme) => ({ [schemeName(prefix, scheme)]: [] })),
      ],
    }),
    parameters: [
      ...names.map((name) => ({ name, in: "path", required: true, schema: schemaOf(route.params?.[name], schemas) })),
      ...Object.entries(query).map(([name, field]) => ({
        name,
        in: "query",
        required: !field.safeParse(undefined).success,
        schema: schemaOf(field, schemas),
      })),
    ],
    ...(body && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { "application/json": { schema: schemaOf(body, schemas) } },
      },
    }),
    responses: {
      [status]: success(answer, schemas),
      ...(route.orStatus && { [route.orStatus]: success(answer, schemas) }),
      ...Object.fromEntries(failures(route).map((code) => [code, failure(code)])),
    },
  }
}

function success(answer: Route["answer"], schemas: Schemas): object {
  if (answer === undefined) return { description: "Done." }
  if (answer === "html") return { description: "A page.", content: { "text/html": { schema: { type: "string" } } } }
  if (answer === "ndjson")
    return {
      description: "One JSON value per line.",
      content: { "application/x-ndjson": { schema: { type: "string" } } },
    }
  if (answer === "events")
    return { description: "Server-sent events.", content: { "text/event-stream": { schema: { type: "string" } } } }
  return {
    description: "The requested data.",
    content: { "application/json": { schema: schemaOf(answer, schemas, "output") } },
  }
}

const failure = (code: number) => ({
  description: `${code}`,
  content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
})

/** What follows from the route itself, and what it declares in addition. */
function failures({ auth, body, errors = [], path, query }: Route): number[] {
  const codes = new Set([500, 503, ...errors, ...(auth?.errors ?? [])])
  if (body || query !== undefined || path.includes("{")) codes.add(400)
  if (body) codes.add(413).add(415)
  if (auth) codes.add(401)
  if (auth?.inTurn) codes.add(429)
  return [...codes].sort((a, b) => a - b)
}

/** The document's components, which grow with what its schemas refer to. */
type Schemas = Record<string, object>

function schemaOf(schema: z.ZodType | undefined, schemas: Schemas, io: "input" | "output" = "input"): object {
  if (schema === undefined) return { type: "string" }
  const { $schema: _, $defs = {}, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" })
  return lifted(rest, $defs as Schemas, schemas)
}

/** A schema whose definitions are among the components: a reference is read from the root of the document. */
function lifted(schema: object, definitions: Schemas, schemas: Schemas): object {
  const count = Object.keys(schemas).length
  const names = Object.keys(definitions).map((name, i) => [name, `Part${count + i}`] as const)
  const renamed = (part: object): object =>
    JSON.parse(
      names.reduce(
        (text, [name, lifted]) => text.replaceAll(`"#/$defs/${name}"`, `"#/components/schemas/${lifted}"`),
        JSON.stringify(part),
      ),
    ) as object
  for (const [name, lifted] of names) schemas[lifted] = renamed(definitions[name]!)
  return names.length === 0 ? schema : renamed(schema)
}
