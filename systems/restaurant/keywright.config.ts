import { auditRules } from "./audit-rules.ts"
import { restaurant } from "./schema.ts"

export default { keyspace: restaurant, rules: auditRules }
