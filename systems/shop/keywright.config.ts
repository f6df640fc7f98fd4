import { fromEnvironment, underTag } from "../platform/placement-from-environment.ts"
import { shopSchema } from "./schema.ts"
import { settings } from "./settings.ts"

const shards = fromEnvironment("shop", "shards", settings.shards) ?? 0

export default { keyspace: underTag(shopSchema({ shards }), fromEnvironment("shop", "tag", settings.tag)) }
