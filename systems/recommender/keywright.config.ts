import { auditRules } from "./audit-rules.ts"
import { recommender } from "./schema.ts"

export default { keyspace: recommender, rules: auditRules() }
