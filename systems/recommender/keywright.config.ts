import { fromEnvironment, underTag } from "../platform/placement-from-environment.ts"
import { auditRules } from "./audit-rules.ts"
import { recommenderSchema } from "./schema.ts"
import { settings } from "./settings.ts"

const shards = fromEnvironment("recommender", "shards", settings.shards) ?? 0
const tag = fromEnvironment("recommender", "tag", settings.tag)
const keyspace = recommenderSchema({ shards, tag })

export default { keyspace: shards === 0 ? underTag(keyspace, tag) : keyspace, rules: auditRules() }
