/* Whether an answer is what the OpenAPI document says: its status is listed for the
 * operation, and its body has the schema given there. */

import * as z from "zod"

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** `"documented"`, or what is wrong. */
export function documented(document: Document, request: string, status: number, body: unknown): string {
  const [method = "", url = ""] = request.split(" ")
  const segments = url.split("?")[0]!.split("/")
  const path = Object.keys(document.paths).find((template) => fits(template.split("/"), segments))
  const operation = path === undefined ? undefined : document.paths[path]![method.toLowerCase()]
  if (operation === undefined) return [400, 404, 405].includes(status) ? "documented" : "no such operation"
  const response = operation.responses[String(status)]
  if (response === undefined) return `${method} ${path} does not list ${status}`
  const schema = response.content?.["application/json"]?.schema
  if (schema === undefined)
    return response.content === undefined && body !== "" ? "a body where none is listed" : "documented"
  const found = validatorOf(schema, document).safeParse(body)
  return found.success ? "documented" : `the body does not fit: ${found.error.message}`
}

const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, i) => (part.startsWith("{") ? segments[i] !== "" : part === segments[i]))

/** Making a validator takes a thousand times as long as using it: each is made once per document. */
function validatorOf(schema: object, document: Document): z.ZodType {
  const known = validators.get(schema) ?? z.fromJSONSchema(resolved(schema, document) as never)
  validators.set(schema, known)
  return known
}

const validators = new WeakMap<object, z.ZodType>()

function resolved(schema: object, { components }: Document): object {
  const here = (part: object): object =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', '"#/$defs/')) as object
  const reference = (schema as { $ref?: string }).$ref
  const found = reference === undefined ? schema : components.schemas[reference.slice(reference.lastIndexOf("/") + 1)]!
  return { ...here(found), $defs: here(components.schemas) }
}
