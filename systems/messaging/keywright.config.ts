import { auditRules } from "./audit-rules.ts"
import { messaging } from "./schema.ts"

export default { keyspace: messaging, rules: auditRules() }
