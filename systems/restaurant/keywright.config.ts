import { fromEnvironment, underTag } from "../platform/placement-from-environment.ts"
import { auditRules } from "./audit-rules.ts"
import { restaurant } from "./schema.ts"
import { settings } from "./settings.ts"

export default {
  keyspace: underTag(restaurant, fromEnvironment("restaurant", "tag", settings.tag)),
  rules: auditRules,
}
