import type { ContextOf } from "../platform/system.ts"
import type { shopSchema } from "./schema.ts"
import type { settings } from "./settings.ts"
import type { ShopTables } from "./tables.ts"

/** What the shop's services and jobs are made from. */
export type ShopContext = ContextOf<typeof settings, typeof shopSchema, ShopTables>
