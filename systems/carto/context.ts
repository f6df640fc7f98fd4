import type { ContextOf } from "../platform/system.ts"
import type { cartoSchema } from "./schema.ts"
import type { settings } from "./settings.ts"
import type { CartoTables } from "./tables.ts"

/** What carto's services and jobs are made from. */
export type CartoContext = ContextOf<typeof settings, typeof cartoSchema, CartoTables>
