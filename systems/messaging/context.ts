import type { ContextOf } from "../platform/system.ts"
import type { messagingSchema } from "./schema.ts"
import type { settings } from "./settings.ts"
import type { MessagingTables } from "./tables.ts"

/** What the messenger's services and jobs are made from. */
export type MessagingContext = ContextOf<typeof settings, typeof messagingSchema, MessagingTables>
