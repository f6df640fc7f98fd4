import { auditRules } from "./audit-rules.ts"
import { carto } from "./schema.ts"

export default { keyspace: carto, rules: auditRules() }
