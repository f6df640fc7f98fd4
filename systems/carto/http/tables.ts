import * as z from "zod"
import { defined } from "../../platform/defined.ts"
import { route } from "../../platform/http/route.ts"
import type { Services } from "../services.ts"
import type { Caller } from "../services/access.ts"
import { notYours } from "../services/refusals.ts"
import type { Owning, TableMetadata } from "../services/tables.ts"
import type { Callers } from "./callers.ts"
import { ApiKey, Database, GeometryType, Infowindow, Privacy, Table, UserId } from "./fields.ts"

const Metadata = z.object({
  the_geom_type: GeometryType,
  infowindow: z.string(),
  privacy: z.int(),
  user_id: z.int(),
})

const path = "/tables/{db}/{table}"
const params = { db: Database, table: Table }
const query = { api_key: ApiKey }
const tableRef = ({ db, table }: { db: string; table: string }) => ({ database: db, table })
const shown = ({ privacy, ...rest }: TableMetadata) => ({ ...rest, privacy: privacy ? 1 : 0 })

export const tableRoutes = ({ tables, access }: Services, { known, anybody }: Callers) => {
  /** Who may change a table: the admin, for any owner, or its owner. Returns whose table it has to be. */
  const owning = async (caller: Caller, name: ReturnType<typeof tableRef>): Promise<Owning | undefined> => {
    if (caller.kind === "admin") return undefined
    const { user_id: owner } = await tables.get(name)
    await access.id(caller, owner)
    return { owner, isStillAllowed: () => access.id(caller, owner) }
  }
  const inDatabase = known((caller, { db }) => access.database(caller, db!))
  const owner = known((caller, { db, table }) => owning(caller, { database: db!, table: table! }))

  return [
    route("GET /tables/{db}", {
      summary: "The names of all tables of a database.",
      auth: inDatabase,
      params: { db: Database },
      query,
      answer: z.object({ tables: z.array(z.string()) }),
      async handle({ caller, params }) {
        await access.database(caller, params.db)
        return { tables: await tables.list(params.db) }
      },
    }),
    route(`PUT ${path}`, {
      summary: "Creates a table's metadata, or replaces it; private by default.",
      auth: inDatabase,
      params,
      query,
      body: z.strictObject({
        the_geom_type: GeometryType,
        infowindow: Infowindow.default(""),
        privacy: Privacy.default(false),
        user_id: UserId,
      }),
      answer: Metadata,
      status: 201,
      errors: [403, 409, 429],
      async handle({ caller, params, body }) {
        const isStillAllowed = () => access.writer(caller, body.user_id, params.db)
        await isStillAllowed()
        const by = caller.kind === "admin" ? undefined : { owner: body.user_id, isStillAllowed }
        return shown(await tables.put(tableRef(params), body, by))
      },
    }),
    route(`GET ${path}`, {
      summary: "A table's metadata: a public one for anybody, a private one for its owner.",
      auth: anybody,
      params,
      query,
      answer: Metadata,
      errors: [403, 404, 429],
      async handle({ caller, params }) {
        const found = await tables.get(tableRef(params))
        if (!found.privacy) await access.reader(caller, found.user_id)
        return shown(found)
      },
    }),
    route(`PATCH ${path}`, {
      summary: "Changes some of a table's metadata.",
      auth: owner,
      params,
      query,
      body: z.strictObject({
        the_geom_type: GeometryType.optional(),
        infowindow: Infowindow.optional(),
        privacy: Privacy.optional(),
        user_id: UserId.optional(),
      }),
      answer: Metadata,
      errors: [403, 404, 409, 429],
      async handle({ caller, params, body }) {
        const by = await owning(caller, tableRef(params))
        if (by !== undefined && (body.user_id ?? by.owner) !== by.owner) throw notYours()
        return shown(await tables.update(tableRef(params), defined(body), by))
      },
    }),
    route(`DELETE ${path}`, {
      summary: "Removes a table's metadata.",
      auth: owner,
      params,
      query,
      errors: [403, 404, 429],
      handle: async ({ caller, params }) => tables.remove(tableRef(params), await owning(caller, tableRef(params))),
    }),
    route(`POST ${path}/rename`, {
      summary: "Renames a table in its database.",
      auth: owner,
      params,
      query,
      body: z.strictObject({ table: Table }),
      answer: Metadata,
      errors: [403, 404, 409, 429],
      handle: async ({ caller, params, body }) =>
        shown(await tables.rename(tableRef(params), body.table, await owning(caller, tableRef(params)))),
    }),
  ]
}
