import { fromEnvironment } from "../platform/placement-from-environment.ts"
import { auditRules } from "./audit-rules.ts"
import { cartoSchema } from "./schema.ts"
import { settings } from "./settings.ts"

const placement = fromEnvironment("carto", "placement", settings.placement) ?? "server"

export default { keyspace: cartoSchema({ placement }), rules: auditRules() }
