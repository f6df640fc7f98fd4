/* The five routes that every entity of the administration has. `PUT` changes the fields
 * that are given; an id in the body has to be that of the path (RST-4). */

import * as z from "zod"
import { badRequest } from "../../platform/http/problem.ts"
import { type InputSchemas, type MethodAndPath, route, type Route } from "../../platform/http/route.ts"
import type { Caller } from "../services/access.ts"
import type { RoleName } from "../services/seed.ts"
import type { Page, ListPage } from "../services/pages.ts"
import { pageOf, paging, stamps } from "./fields.ts"
import { admins, type Guard } from "./guard.ts"

type Out<S extends InputSchemas> = z.output<z.ZodObject<S>>

export interface Crud<S extends InputSchemas, T> {
  /** `"dish"`, and `"dishes"` as in its path. */
  readonly one: string
  readonly many: string
  readonly id: z.ZodType<string>
  /** What a new one needs; those with a fallback may be left out. */
  readonly fields: S
  readonly optional: readonly (keyof S & string)[]
  /** Fields that belong to the server, besides the stamps. */
  readonly ignored?: readonly string[]
  readonly shown: z.ZodType
  /** Without one, anybody may read. */
  readonly readers?: readonly RoleName[]
  readonly writers?: readonly RoleName[]
  readonly query?: InputSchemas
  readonly list: (query: ListPage & Record<string, unknown>) => Promise<Page<T>>
  readonly get: (id: string) => Promise<T>
  readonly create: (value: Out<S>, by: string, caller: Caller) => Promise<T>
  readonly update: (id: string, change: Partial<Out<S>>, by: string, caller: Caller) => Promise<T>
  readonly delete: (id: string) => Promise<void>
  /** What is answered, where that is less than the record. */
  readonly show?: (record: T) => unknown
}

export function crud<S extends InputSchemas, T>(guarded: Guard, of: Crud<S, T>): Route[] {
  const { one, many, fields, optional, shown, show = (record) => record as unknown } = of
  const path = `/api/${many}` as const
  const owned = [...(of.ignored ?? []), ...stamps]
  const partial = (names: readonly string[]): InputSchemas =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, names.includes(name) ? field.optional() : field]),
    )
  const reading = (request: MethodAndPath, options: object): Route =>
    of.readers === undefined
      ? route(request, options as never)
      : guarded(many.toUpperCase(), { roles: of.readers })(request, options as never)
  const writing = guarded(many.toUpperCase(), { roles: of.writers ?? admins })
  const administering = guarded(many.toUpperCase(), { roles: admins })
  const shownPage = async (page: Promise<Page<T>>) => {
    const { meta, result } = await page
    return { meta, result: result.map(show) } as never
  }

  return [
    reading(`GET ${path}`, {
      summary: `Lists ${many}.`,
      query: { ...of.query, ...paging },
      answer: pageOf(shown),
      handle: ({ query }: { query: object }) => shownPage(of.list(query as never)),
    }),
    administering(`POST ${path}`, {
      summary: `Adds a ${one}.`,
      body: z.strictObject(partial(optional)),
      ignored: ["id", ...owned],
      answer: shown,
      status: 201,
      errors: [404, 409],
      handle: async ({ caller, body }) => show(await of.create(body as Out<S>, caller.user.email, caller)) as never,
    }),
    reading(`GET ${path}/{id}`, {
      summary: `A ${one}.`,
      params: { id: of.id },
      answer: shown,
      errors: [404],
      handle: async ({ params }: { params: { id: string } }) => show(await of.get(params.id)),
    }),
    writing(`PUT ${path}/{id}`, {
      summary: `Changes a ${one}.`,
      params: { id: of.id },
      body: z.strictObject({ ...partial(Object.keys(fields)), id: z.unknown().optional() }),
      ignored: owned,
      answer: shown,
      errors: [404, 409],
      async handle({ caller, params, body }) {
        const { id, ...change } = body as { id?: unknown }
        checkId(id, params.id)
        return show(await of.update(params.id, change as Partial<Out<S>>, caller.user.email, caller)) as never
      },
    }),
    administering(`DELETE ${path}/{id}`, {
      summary: `Removes a ${one}.`,
      params: { id: of.id },
      errors: [404, 409],
      handle: ({ params }) => of.delete(params.id),
    }),
  ]
}

/** An id may be repeated in the body, and no other (RST-4). */
export function checkId(given: unknown, id: string): void {
  if (given !== undefined && given !== id) throw badRequest("invalid_input", "body.id: is not the id in the path")
}
