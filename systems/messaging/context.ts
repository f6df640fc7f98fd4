import type { ContextOf } from "../platform/system.ts"
import type { messagingSchema } from "./schema.ts"
import type { Homes } from "./services/homes.ts"
import type { settings } from "./settings.ts"
import type { MessagingTables } from "./tables.ts"

export type StartContext = ContextOf<typeof settings, typeof messagingSchema, MessagingTables>

/** What its services and jobs are made from. */
export type MessagingContext = Omit<StartContext, "open"> & { readonly homes: Homes }
