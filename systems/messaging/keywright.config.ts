import { fromEnvironment } from "../platform/placement-from-environment.ts"
import { auditRules } from "./audit-rules.ts"
import { messagingSchema } from "./schema.ts"
import { settings } from "./settings.ts"

const shards = fromEnvironment("messaging", "shards", settings.shards) ?? 0

export default { keyspace: messagingSchema({ shards }), rules: auditRules() }
