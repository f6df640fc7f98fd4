import type { ContextOf } from "../platform/system.ts"
import type { recommenderSchema } from "./schema.ts"
import type { settings } from "./settings.ts"
import type { RecommenderTables } from "./tables.ts"

/** What the recommender's services and jobs are made from. */
export type RecommenderContext = ContextOf<typeof settings, typeof recommenderSchema, RecommenderTables>
